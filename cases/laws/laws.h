/* SPDX-License-Identifier: MIT */
/** The contact-force laws, for cases that use them. */
#ifndef IC_CASES_LAWS_LAWS_H
#define IC_CASES_LAWS_LAWS_H

#include "impactcheck/impactcheck.h"

#define IC_LAW(name) extern const ic_law ic_law_##name;
#include "cases/laws/laws.def"
#undef IC_LAW

#endif
