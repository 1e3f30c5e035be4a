/* SPDX-License-Identifier: MIT */
/* Factors of units to SI units. A factor is p/q, times pi for angles in degrees and turns. */
#include "reference/text/reader.h"

#include <fmpq.h>
#include <string.h>

static const struct unit {
    /* separated by blanks */
    const char *names;
    long p, q;
    bool pi, prefix;
} units[] = {
    {"m s A K mol cd rad Hz N Pa J W C V", 1, 1, false, true},
    {"g l L", 1, 1000, false, true},
    {"bar", 100000, 1, false, true},
    {"t", 1000, 1, false, false},
    {"second seconds", 1, 1, false, false},
    {"min minute minutes", 60, 1, false, false},
    {"h hour hours", 3600, 1, false, false},
    {"d day days", 86400, 1, false, false},
    {"% percent", 1, 100, false, false},
    {"atm", 101325, 1, false, false},
    {"in inch", 254, 10000, false, false},
    {"ft foot", 3048, 10000, false, false},
    {"lb", 45359237, 100000000, false, false},
    {"lbf", 8896443230521, 2000000000000, false, false},
    {"psi", 8896443230521, 1290320000, false, false},
    {"kgf", 980665, 100000, false, false},
    {"deg degree degrees", 1, 180, true, false},
    {"cycle turn revolution", 2, 1, true, false},
    {"rpm", 1, 30, true, false},
};

static const struct prefix {
    const char *name;
    int power;
} prefixes[] = {{"da", 1}, {"d", -1},        {"c", -2},        {"m", -3}, {"u", -6},
                {"n", -9}, {"p", -12},       {"f", -15},       {"h", 2},  {"k", 3},
                {"M", 6},  {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"G", 9},  {"T", 12}};

/* The unit of this name; NULL: there is none. */
static const struct unit *find_unit(const char *name, bool with_prefix)
{
    const size_t length = strlen(name);
    for (size_t i = 0; length > 0 && i < sizeof units / sizeof *units; i++) {
        if (with_prefix && !units[i].prefix) continue;
        for (const char *at = strstr(units[i].names, name); at != NULL; at = strstr(at + 1, name)) {
            if ((at == units[i].names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
                return &units[i];
        }
    }
    return NULL;
}

ic_text_node ic_text_unit(ic_text_reader *r, const char *name)
{
    const struct unit *unit = find_unit(name, false);
    int power = 0;
    for (size_t k = 0; unit == NULL && k < sizeof prefixes / sizeof *prefixes; k++) {
        const size_t length = strlen(prefixes[k].name);
        power = prefixes[k].power;
        if (strncmp(prefixes[k].name, name, length) == 0) unit = find_unit(name + length, true);
    }
    if (unit == NULL) return IC_TEXT_NONE;
    fmpq_t factor, ten;
    fmpq_init(factor);
    fmpq_init(ten);
    fmpq_set_si(factor, unit->p, (ulong)unit->q);
    fmpq_set_si(ten, 10, 1);
    fmpq_pow_si(ten, ten, power);
    fmpq_mul(factor, factor, ten);
    const ic_text_node number = ic_text_number(r, factor);
    fmpq_clear(factor);
    fmpq_clear(ten);
    if (!unit->pi) return number;
    return ic_text_apply(r, IC_TEXT_MULTIPLY, number, ic_text_leaf(r, IC_TEXT_PI, 0), IC_TEXT_NONE);
}
