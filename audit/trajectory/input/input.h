/* SPDX-License-Identifier: MIT */
/** Rows of a file, and what their columns mean. */
#pragma once

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

#include <stddef.h>
#include <stdio.h>

/**
 * clock.c: The number of digits with which numbers are written. Numbers with few digits are rounded, by up
 * to half a unit of the last digit.
 */

typedef struct ic_digits {
    /* Significant digits of all numbers; 0: more than 13, which counts as exact. */
    int significant;

    /* Decimals of all numbers. */
    int decimals;

    /* All are numbers of single precision. */
    bool single;
} ic_digits;

/** Find the digits of n numbers: values[0], values[stride], ... */
ic_digits ic_digits_of(const double *values, size_t n, size_t stride);

/** Greatest distance of a number with these digits from the number before rounding. */
double ic_digits_rounding(const ic_digits *digits, double value);

/**
 * csv.c: A table in a text file, row by row: names in the first line, then numbers; without a line of
 * names the columns are called 1, 2, ... Fields are separated by a comma, a semicolon or a tab,
 * whichever is most frequent in the first line, or by blanks if it has none of them. They may be
 * quoted, with quotes doubled. A UTF-8 mark at the start, CRLF, blank lines and lines that start
 * with # are skipped. Numbers have a decimal point, whatever the locale. Errors are reported as
 * file:line:column: with a correct alternative.
 */

typedef struct ic_csv {
    FILE *stream;

    /* Path for messages; borrowed. */
    const char *path;

    /* The current line, split into fields. */
    char *text;

    /* Size of this buffer, bytes. */
    size_t room;

    /* The line of names, split into fields. */
    char *header;

    /* ' ': one or more blanks */
    char separator;

    /* The first line has numbers, which are the next row. */
    bool headerless;

    /* The current line is the next row. */
    bool pending;

    /* Number of the current line, starting at 1. */
    size_t line;

    size_t n_columns;

    /* Names of columns, which point into `header`. */
    const char **names;

    /* Fields, which point into `text`. */
    const char **fields;

    /* Places of the fields in their line, in bytes, starting at 1. */
    size_t *places;
} ic_csv;

typedef enum ic_csv_row { IC_CSV_ROW, IC_CSV_END, IC_CSV_WRONG } ic_csv_row;

/**
 * Read the line of names. false: `error` states the reason. Close the table in either case; the
 * stream remains open.
 */
bool ic_csv_open(ic_csv *csv, FILE *stream, const char *path, ic_error *error);
void ic_csv_close(ic_csv *csv);

/**
 * Whether the columns can be told: by names, or by `columns`, the list of the option --columns. false: `error`
 * says what to do.
 */
bool ic_csv_has_names(const ic_csv *csv, const char *columns, ic_error *error);

ic_csv_row ic_csv_next(ic_csv *csv, ic_error *error);

/** Number of the column of this name; n_columns if it does not exist. */
size_t ic_csv_column(const ic_csv *csv, const char *name);

/** Read a field of the current row as a finite number. */
bool ic_csv_field_number(const ic_csv *csv, size_t column, double *value, ic_error *error);

/**
 * Read a number with a decimal point. false: the whole text is not a number. nan and inf are
 * numbers here.
 */
bool ic_csv_parse_number(const char *text, double *value);

/** trajectory_rows.c: A trajectory that is audited, in SI units. */

/** Source of the values of a state. */
typedef enum ic_column_source {
    IC_FROM_FILE,

    /* Differences of its position. */
    IC_FROM_DIFFERENCES,

    /* Reconstructed: solution of the case's own equation for it, driven by the given states. */
    IC_FROM_MODEL,

    /* A memory of the contact, which is followed along the rows. */
    IC_FROM_TRACKING,
} ic_column_source;

typedef struct ic_trajectory {
    /* borrowed */
    const char *path;

    size_t n, n_states;

    /* The file has times of impacts and no state. */
    bool times_alone;

    /* s */
    double *t;

    /* n rows of n_states values, in SI units. */
    double *x;

    /* Numbers of modes in the file; NULL: none. */
    signed char *mode;

    /* Contact force in the file, N; NULL: none. */
    double *force;

    /* line numbers in the file */
    size_t *line;

    ic_column_source source[IC_MAX_STATES];

    /* Name of the file. */
    char column[IC_MAX_STATES][64];
} ic_trajectory;

/**
 * An empty trajectory for `n` rows, to be filled; all states are from the file. false: memory ran
 * out.
 */
bool ic_trajectory_open(ic_trajectory *trajectory, size_t n, size_t n_states, bool modes);
void ic_trajectory_close(ic_trajectory *trajectory);

/** trajectory.c: Reads a trajectory from a file. */

/**
 * The meaning of the columns of a file, as lists: NAME=COLUMN,...; NAME=UNIT,... NULL: the list is empty.
 */
typedef struct ic_trajectory_reading {
    /* "t=time,x2=roller.y" */
    const char *columns;

    /* "x2=mm,t=ms" */
    const char *units;
} ic_trajectory_reading;

/**
 * Read a file. A problem without variant is an impact of which velocities alone are known. false: `error` states
 * file:line:column, the error, and a correct alternative.
 */
bool ic_trajectory_read(ic_trajectory *trajectory, FILE *stream, const char *path, const ic_problem *problem,
                        const ic_trajectory_reading *reading, ic_error *error);

/**
 * clock.c: The accuracy of a file's times. Times with few digits are rounded: a row may deviate from the
 * time of its states by half a unit of the last digit. Rows on an even grid of such times are
 * exact, and so are times with more than thirteen digits.
 */

typedef struct ic_clock {
    ic_digits digits;

    /* Start and step of the grid, s; step 0: no grid. */
    double start, step;

    /* True if the states show that the times of rows are exact in spite of few digits. */
    bool rows_are_exact;
} ic_clock;

/**
 * Find the digits of all times, and whether rows[0] to rows[n - 1], whose usual distance is `step`,
 * s, lie on a grid.
 */
ic_clock ic_clock_of(const ic_trajectory *tr, const size_t *rows, size_t n, double step);

/** Uncertainty of the time of an event that the file gives, s. */
double ic_clock_rounding(const ic_clock *clock, double t);

/** Uncertainty of the time of a row, s. */
double ic_clock_doubt(const ic_clock *clock, double t);

/**
 * column_list.c: Lists NAME=VALUE,... that give the meaning of the columns of a file. A value may be quoted, with
 * quotes doubled; then it may contain commas. A column is given by its name or its number, starting
 * at 1, with a sign before it and a number added to it: x=h, x=3, x=-h, x=h-0.1, x=-"h, m"+2; or by a formula that is
 * linear in columns, with parameters of the case, and a unit behind a blank: v=w*R, q=angle deg.
 */

/** Size of a value, with the terminator. */
enum { IC_MOST_LISTED = 96 };

/** Columns in a formula beside the first one. */
enum { IC_MOST_ADDED = 3 };

/** The use of columns: the values of the first one are multiplied by `factor`, and the others and `offset` are added. */
typedef struct ic_column_use {
    /* Number, starting at 0; n_columns: none. */
    size_t column;

    double factor;

    /* In the column's own unit. */
    double offset;

    /* Further columns and their factors. */
    size_t n_added, added[IC_MOST_ADDED];
    double factor_added[IC_MOST_ADDED];
} ic_column_use;

/** Length of the first item of a list, up to a comma outside quotes, or its end. */
size_t ic_list_item(const char *list);

/**
 * The value of a name in a list, copied to `value`, of IC_MOST_LISTED bytes; "" if the item is the
 * name alone. NULL: the name is not in the list. `list` may be NULL.
 */
const char *ic_listed_value(const char *list, const char *name, char *value);

/**
 * Find the column, or the formula, that a value of a list means for a quantity in the unit `si`; `problem`, for its
 * parameters, may be NULL. false: it does not exist.
 */
bool ic_column_find(ic_column_use *use, const ic_csv *csv, const char *wanted, const ic_problem *problem,
                    const char *si);

/** Read a number of the current row in SI units, if `factor` is that of the unit. false: `error` states the reason. */
bool ic_column_number(const ic_csv *csv, const ic_column_use *use, double factor, double *value,
                      ic_error *error);

/**
 * contact.c: The contact of a case, from its contact view: the guard, and the body on which the contact acts.
 */

/** Whether a branch of the jump leads to a mode. */
bool ic_jump_leads_to(const ic_jump *jump, int mode);

/** The first guard of a mode whose jump leads to another one; NULL: none. */
const ic_guard *ic_guard_to(const ic_mode *from, int to);

/** The first guard of the free mode whose jump leads into contact; NULL: none. */
const ic_guard *ic_touch_guard(const ic_contact_view *view, const ic_variant *variant);

/** Indices of a position and its velocity among the states. */
typedef struct ic_moving {
    size_t x, v;
} ic_moving;

/**
 * The states of the body on which the contact acts: the first position and velocity that are not
 * carried.
 */
bool ic_contact_body(ic_moving *body, const ic_problem *problem);

/** The carried states (ic_contact_view). false: none. */
bool ic_carried_body(ic_moving *body, const ic_problem *problem);

/** The gap, m, as in the free mode, and the force, N, as in the contact mode. */
double ic_contact_gap(const ic_problem *problem, double t, const double *x);
double ic_contact_force(const ic_problem *problem, double t, const double *x);

/**
 * trajectory_rows.c: The correction of a misread file. Once one mistake is known, rows that are read as they should
 * be show whether there is another one.
 */

typedef enum ic_correction_kind {
    /* None is known. */
    IC_CORRECT_NOTHING,

    /* The columns, and the times, are multiplied by factors. */
    IC_CORRECT_FACTORS,

    /* The first two marked columns change places. */
    IC_CORRECT_EXCHANGE,

    /* The marked columns are taken from the next row, or from the row before. */
    IC_CORRECT_FROM_NEXT,
    IC_CORRECT_FROM_PREVIOUS,

    /* `shift` is added to the times. */
    IC_CORRECT_TIME,
} ic_correction_kind;

typedef struct ic_correction {
    ic_correction_kind kind;

    bool column[IC_MAX_STATES];

    /* Of each column. */
    double factor[IC_MAX_STATES];

    /* Of the times since the origin, 1. */
    double time_factor;

    /* Origin of the times, s; NAN: the first row's time. */
    double origin;

    /* s */
    double shift;
} ic_correction;

/** A correction by factors, all of which are 1. */
ic_correction ic_correction_by_factors(void);

/**
 * A corrected copy of the rows, to be closed. false: there is no correction, or memory ran out.
 */
bool ic_correct_rows(ic_trajectory *corrected, const ic_trajectory *trajectory,
                     const ic_correction *correction);

/** The noise of the corrected columns. */
void ic_correct_noise(double *corrected, const double *noise, size_t n, const ic_correction *correction);

/**
 * frame.c: Reconstructs carried states (ic_contact_view) that a trajectory does not contain. The carrier
 * drives their equation of motion, as the roller drives its frame:
 *
 *     m3 x3'' = -m3 g - c23 (x3' - x2') - k23 (x3 - x2 - d).
 *
 * The rows thus determine x3 and v3 up to two initial values. The acceleration of the carrier shows
 * these values wherever all conditions agree on the mode.
 */

/** Whether state i of a problem can be reconstructed in this way. */
bool ic_frame_can_reconstruct(const ic_problem *problem, size_t i);

/** Fill the carried states that are missing. Does nothing if none is missing. */
bool ic_frame_reconstruct(ic_trajectory *trajectory, const ic_problem *problem, ic_error *error);

/**
 * impact_rows.c: Rows of a planar impact without the states of a case: velocities of the contact point and the
 * angular velocity, before and after the impact; few rows or many, with or without times.
 */

/** Tangential and normal velocity, m/s, and clockwise angular velocity, rad/s. */
enum { IC_VELOCITY_X, IC_VELOCITY_Y, IC_VELOCITY_PHI, IC_VELOCITIES };

/** The velocities on both sides of the impact, by the rows. */
typedef struct ic_impact_sides {
    double before[IC_VELOCITIES], after[IC_VELOCITIES];

    /* Their deviations, from the scatter of the rows; 0: unknown. */
    double deviation_before[IC_VELOCITIES], deviation_after[IC_VELOCITIES];

    /* numbers of rows used */
    size_t rows_before, rows_after;
} ic_impact_sides;

/** Whether a file has the columns vx and vy but not all states of the case. */
bool ic_impact_rows_are(FILE *stream, const char *path, const ic_problem *problem,
                        const ic_trajectory_reading *reading);

/**
 * Read a file as a trajectory whose states are these velocities. Times and the angular velocity are NAN if the file does
 * not have them. false: `error` gives the reason, as file:line:column.
 */
bool ic_impact_rows_read(ic_trajectory *rows, FILE *stream, const char *path,
                         const ic_trajectory_reading *reading, ic_error *error);

/**
 * The rows of a trajectory with the states of the case, through its outputs vx, vy and phi_dot.
 * false: memory ran out.
 */
bool ic_impact_rows_of(ic_trajectory *rows, const ic_trajectory *trajectory, const ic_problem *problem);

/** Find the impact. false: the velocities are the same in all rows. */
bool ic_impact_sides_of(ic_impact_sides *sides, const ic_trajectory *rows);

/** contact.c: Finds which states of a case are positions and which are their rates, from the flow. */

/**
 * The number of the state whose rate state i is: d(dx_j/dt)/dx_i = 1, and the unit is that of x_j
 * per second. n_states: none.
 */
size_t ic_position_of(const ic_problem *problem, size_t i);

/** Whether another state is the rate of each state. It compares all pairs: do not call it in a loop. */
void ic_find_positions(bool *is_position, const ic_problem *problem);

/** column_list.c: Units in which a trajectory may be given, those of UDUNITS-2, and their factors to SI. */

/**
 * The factor from unit `name` to the unit `si` of a state: 1e-3 for mm to m. false: `error` gives
 * the reason.
 */
bool ic_unit_to_si(double *factor, const char *name, const char *si, ic_error *error);
