/* SPDX-License-Identifier: MIT */
/* The keys of impactcheck.yaml (cli/ci_keys.def) as schemas, for its reader and for editors. */
#include "cli/ci_file.h"

#define IC_CI_KEY(section_, name_, type_, option_, kinds_, meaning_) section_##_KEY(name_, type_, meaning_)
#define ENTRY(name_, type_, meaning_) {name_, OF_##type_, meaning_},
/* Each type has the schema of its value, and says whether a key of it must be there. */
#define OF_SUBJECTS &subjects, IC_KEY_REQUIRED
#define OF_WAIVERS &waivers, IC_KEY_OPTIONAL
#define OF_KIND &ic_schema_text, IC_KEY_ONE_OF
#define OF_TEXT &ic_schema_text, IC_KEY_OPTIONAL
#define OF_REASON &ic_schema_text, IC_KEY_REQUIRED
#define OF_CODE OF_REASON
#define OF_DATE OF_REASON
#define OF_NUMBER &ic_schema_formula, IC_KEY_OPTIONAL
#define OF_WHOLE OF_NUMBER
#define OF_FLAG &ic_schema_flag, IC_KEY_OPTIONAL
#define OF_LIST &ic_schema_texts, IC_KEY_OPTIONAL
#define OF_CODES OF_LIST
#define OF_MAPPING &ic_schema_settings, IC_KEY_OPTIONAL
#define OF_SETTINGS OF_MAPPING

static const ic_key subject_keys[] = {
#define FILE_KEY(name_, type_, meaning_)
#define SUBJECT_KEY(name_, type_, meaning_) ENTRY(name_, type_, meaning_)
#define WAIVER_KEY(name_, type_, meaning_)
#include "cli/ci_keys.def"
    {.name = NULL}};
const ic_schema cli_schema_ci_subject = {.what = "a subject", .keys = subject_keys};
static const ic_schema subjects = {.what = "subjects", .entries = &cli_schema_ci_subject};

static const ic_key waiver_keys[] = {
#undef SUBJECT_KEY
#undef WAIVER_KEY
#define SUBJECT_KEY(name_, type_, meaning_)
#define WAIVER_KEY(name_, type_, meaning_) ENTRY(name_, type_, meaning_)
#include "cli/ci_keys.def"
    {.name = NULL}};
const ic_schema cli_schema_ci_waiver = {.what = "a waiver", .keys = waiver_keys};
static const ic_schema waivers = {.what = "waivers", .scalar = IC_SCALAR_EMPTY, .items = &cli_schema_ci_waiver};

static const ic_key file_keys[] = {
#undef FILE_KEY
#undef WAIVER_KEY
#define FILE_KEY(name_, type_, meaning_) ENTRY(name_, type_, meaning_)
#define WAIVER_KEY(name_, type_, meaning_)
#include "cli/ci_keys.def"
    {.name = NULL}};
const ic_schema cli_schema_ci = {.what = "impactcheck.yaml", .keys = file_keys};
