/* SPDX-License-Identifier: MIT */
/**
 * Lists NAME=VALUE,... that give the meaning of the columns of a file. A value may be quoted, with
 * quotes doubled; then it may contain commas. A column is given by its name or its number, starting
 * at 1, with a sign before it and a number added to it: x=h, x=3, x=-h, x=h-0.1, x=-"h, m"+2.
 */
#ifndef IC_AUDIT_TRAJECTORY_INPUT_COLUMN_LIST_H
#define IC_AUDIT_TRAJECTORY_INPUT_COLUMN_LIST_H

#include "audit/trajectory/input/csv.h"

/** Size of a value, with the terminator. */
enum { IC_LISTED_MOST = 96 };

/** The use of a column: its values are multiplied by `sign`, then `offset` is added. */
typedef struct ic_column_use {
    /* Number, starting at 0; n_columns: none. */
    size_t column;

    /* 1 or -1 */
    double sign;

    /* In the column's own unit. */
    double offset;
} ic_column_use;

/** Length of the first item of a list, up to a comma outside quotes, or its end. */
size_t ic_list_item(const char *list);

/**
 * The value of a name in a list, copied to `value`, of IC_LISTED_MOST bytes; "" if the item is the
 * name alone. NULL: the name is not in the list. `list` may be NULL.
 */
const char *ic_listed_value(const char *list, const char *name, char *value);

/** Find the column that a value of a list means. false: it does not exist. */
bool ic_column_find(ic_column_use *use, const ic_csv *csv, const char *wanted);

#endif
