/* SPDX-License-Identifier: MIT */
/* Compiled with another version of the header. */
#include "impactcheck/impactcheck.h"

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_plugin plugin = {2, sizeof(ic_plugin), .name = "other"};
    return &plugin;
}
