/* SPDX-License-Identifier: MIT */
/** Exact answers that a case states: the section `closed_forms` of its file. */
#pragma once

#include "validation/claims/measures.h"

/** The quantities that may have a closed form. */
typedef enum ic_closed_form_kind {
    IC_CLOSED_EVENT_TIME,
    IC_CLOSED_ACCUMULATION_TIME,
    IC_CLOSED_AT_EVENT,
    IC_CLOSED_FINAL,
    IC_CLOSED_EVENT_COUNT,
    IC_CLOSED_FORM_KINDS
} ic_closed_form_kind;

/** Receives a fault: name of the closed form, key and place in its text, reason. */
typedef void ic_closed_form_report(const char *name, const char *key, size_t offset, const char *text,
                                   void *context);

/** Read the quantity of closed form i of a case. false: its fault was reported. */
bool ic_closed_form_read(ic_quantity *quantity, ic_closed_form_kind *kind, const ic_case *system, size_t i,
                         ic_closed_form_report *report, void *context);
