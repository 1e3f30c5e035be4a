/* SPDX-License-Identifier: MIT */
/** What part of a case file a judgement of its case speaks of: judges know the case, but not the file. */
#ifndef IC_CASEFILE_SUBJECT_H
#define IC_CASEFILE_SUBJECT_H

#include "casefile/yaml.h"

/**
 * The key or section that a text such as "variant C, mode flight, guard 'floor': ..." names, of the variant if
 * that has its own. Line 0: the file as a whole.
 */
ic_file_place ic_casefile_subject(const ic_yaml *file, const char *what);

#endif
