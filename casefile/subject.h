/* SPDX-License-Identifier: MIT */
/**
 * Finds the part of a case file that a result of a judge is about. Judges know the case but not its
 * file.
 */
#pragma once

#include "casefile/yaml.h"

/**
 * Place of the key or section that a text such as "variant C, mode flight, guard 'floor': ..."
 * names, in the variant if the variant has its own. Line 0: the file as a whole.
 */
ic_file_place ic_casefile_subject(const ic_yaml *file, const char *what);

/**
 * Place of character `offset` in the text of section/name/key of a file; of the name, if it has not
 * that key.
 */
ic_file_place ic_casefile_place(const ic_yaml *file, const char *section, const char *name, const char *key,
                                size_t offset);
