/* SPDX-License-Identifier: MIT */
/* A plugin without any export. */
#include "impactcheck/impactcheck.h"

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = "empty"};
    return &plugin;
}
