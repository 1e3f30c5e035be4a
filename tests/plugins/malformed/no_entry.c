/* SPDX-License-Identifier: MIT */
/* A library that is not a plugin. */
int no_plugin(void);

int no_plugin(void)
{
    return 0;
}
