/* SPDX-License-Identifier: MIT */
#include "cli/interrupt.h"
#include "audit/common/process.h"
#include "cli/temporary.h"
#include "cli/terminal.h"
#include "validation/workers.h"

#include <signal.h>
#include <stddef.h>

static void end_by_signal(int signal_number)
{
    cli_progress_clear();
    ic_workers_interrupt();
    ic_process_interrupt();
    cli_file_remove_temporaries();
    raise(signal_number); /* its default action, once this handler returns */
}

void cli_interrupt_listen(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_handler = end_by_signal, .sa_flags = (int)SA_RESETHAND}, old;
    sigfillset(&action.sa_mask); /* a second one waits until all is done */
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        const bool ignored = sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN;
        if (!ignored) sigaction(signals[i], &action, NULL);
    }
}
