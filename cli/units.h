/* SPDX-License-Identifier: MIT */
/** Units of numbers in options: --set "A=5 mm", --until "12 h", --vary "A=1 mm:5 mm:5". */
#pragma once

#include "cli/command.h"

/**
 * NAME=VALUE or NAME=VALUE:VALUE:... of a parameter of the case at a path, in SI units. Text
 * without a unit, or for a name that is not a parameter, does not change. The text lives as long as
 * the process. NULL: a message has been printed.
 */
const char *cli_setting_in_si(const cli_command *command, const char *path, const char *text);

/** A time in seconds; NULL stays NULL. */
bool cli_time_in_si(const cli_command *command, const char **text);
