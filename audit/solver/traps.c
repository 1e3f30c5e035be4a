/* SPDX-License-Identifier: MIT */
#include "audit/solver/traps.h"

#define IC_TRAP(name_) extern const ic_trap ic_trap_##name_;
#include "audit/traps/traps.def"
#undef IC_TRAP

const ic_trap *const ic_traps[] = {
#define IC_TRAP(name_) &ic_trap_##name_,
#include "audit/traps/traps.def"
#undef IC_TRAP
};
const size_t ic_trap_count = IC_COUNT(ic_traps);

ic_trap_event ic_trap_event_at(const ic_trap_run *run, size_t i)
{
    return run->event != NULL ? run->event(i) : run->events[i];
}
