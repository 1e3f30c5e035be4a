/* SPDX-License-Identifier: MIT */
/* The keys of impactcheck.yaml (cli/ci_keys.def) as schemas, for its reader and for editors. */
#include "cli/ci_file.h"

#define IC_CI_KEY(section_, name_, type_, option_, kinds_, meaning_) section_##_KEY(name_, type_, meaning_)
#define ENTRY(name_, type_, meaning_) {name_, &ic_schema_##type_, type_##_NEED, meaning_},
/* Schemas of the types that are no mappings with keys, and which keys of a type are needed. */
#define ic_schema_SUBJECTS subjects
#define ic_schema_WAIVERS waivers
#define ic_schema_KIND ic_schema_text
#define ic_schema_TEXT ic_schema_text
#define ic_schema_REASON ic_schema_text
#define ic_schema_CODE ic_schema_text
#define ic_schema_DATE ic_schema_text
#define ic_schema_NUMBER ic_schema_formula
#define ic_schema_WHOLE ic_schema_formula
#define ic_schema_FLAG ic_schema_flag
#define ic_schema_LIST ic_schema_texts
#define ic_schema_CODES ic_schema_texts
#define ic_schema_MAPPING ic_schema_settings
#define ic_schema_SETTINGS ic_schema_settings
#define SUBJECTS_NEED IC_KEY_REQUIRED
#define REASON_NEED IC_KEY_REQUIRED
#define CODE_NEED IC_KEY_REQUIRED
#define DATE_NEED IC_KEY_REQUIRED
#define KIND_NEED IC_KEY_ONE_OF
#define WAIVERS_NEED IC_KEY_OPTIONAL
#define TEXT_NEED IC_KEY_OPTIONAL
#define NUMBER_NEED IC_KEY_OPTIONAL
#define WHOLE_NEED IC_KEY_OPTIONAL
#define FLAG_NEED IC_KEY_OPTIONAL
#define LIST_NEED IC_KEY_OPTIONAL
#define CODES_NEED IC_KEY_OPTIONAL
#define MAPPING_NEED IC_KEY_OPTIONAL
#define SETTINGS_NEED IC_KEY_OPTIONAL

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
