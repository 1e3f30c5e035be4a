/* SPDX-License-Identifier: MIT */
/* Its struct is shorter than that of the header. */
#include "impactcheck/impactcheck.h"

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_plugin plugin = {IC_ABI_VERSION, 8, .name = "other"};
    return &plugin;
}
