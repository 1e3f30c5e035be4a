/* SPDX-License-Identifier: MIT */
/**
 * Forces of a plugin's law beside those of the registered law of the same name, with the same parameters: at all
 * settings, at speeds from 0.01 to 30 m/s, from the touch to ten times the depth of an impact of 1 kg, in loading and
 * in unloading, and above the surface where the registered law acts there. Elastic force F(d, 0) and drag
 * F(d, v) - F(d, 0) are samples apart; above the surface the whole force is one of drag.
 */
#ifndef IC_AUDIT_LAW_SAMPLES_H
#define IC_AUDIT_LAW_SAMPLES_H

#include "audit/law/law_fit.h"

typedef enum ic_force_part { IC_ELASTIC, IC_DRAG, IC_FORCE_PARTS } ic_force_part;

/** Two forces at one place, N. */
typedef struct ic_force_sample {
    size_t setting;
    double d, v, v0;

    /* elastic force or drag: of the plugin's law, and of the registered one */
    double mine, theirs;

    /* that to which a difference is relative; the plugin's whole force */
    double size, whole;
} ic_force_sample;

typedef struct ic_force_samples {
    ic_force_sample *list;
    size_t n;
} ic_force_samples;

typedef struct ic_law_pair {
    ic_law_probe *p;
    ic_known_law known;
    ic_law_fit fit;

    /* the plugin's parameter with the value of each parameter of the registered law; n_parameters: a constant */
    size_t source[IC_LAW_PARAMETERS_MOST];

    /* a parameter has a fitted value, which belongs to the defaults: other settings say nothing */
    bool fitted[IC_FORCE_PARTS];

    ic_law_setting settings[IC_LAW_SETTINGS_MOST];
    size_t n_settings;

    /* parameters of the registered law at each setting */
    double par[IC_LAW_SETTINGS_MOST][IC_LAW_PARAMETERS_MOST];

    ic_force_samples part[IC_FORCE_PARTS];
} ic_law_pair;

/**
 * Finds the plugin's parameter for each of the registered law `known`: by name, or by its unit; and a value for those
 * that it does not have. NULL: all; else the name of one without a value.
 */
const char *ic_law_pair_open(ic_law_pair *c, ic_law_probe *p, const ic_law *known);
void ic_law_pair_close(ic_law_pair *c);

/** Takes all samples. false: memory ran out. */
bool ic_law_pair_collect(ic_law_pair *c);

/** Difference of the forces of a sample, relative. */
double ic_force_off(const ic_force_sample *s);
bool ic_force_right(const ic_force_sample *s);
bool ic_forces_right(const ic_force_samples *s);

/** Whether some sample varies the parameter i of the registered law. */
bool ic_law_pair_varies(const ic_law_pair *c, ic_force_part part, size_t i);

/** Name of the plugin's parameter that is the parameter i of the registered law. */
const char *ic_law_pair_name(const ic_law_pair *c, size_t i);

#endif
