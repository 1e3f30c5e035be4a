/* SPDX-License-Identifier: MIT */
/* A library that is no plugin. */
int no_plugin(void);

int no_plugin(void)
{
    return 0;
}
