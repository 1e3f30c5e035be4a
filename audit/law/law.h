/* SPDX-License-Identifier: MIT */
/** The audit of a contact-force law: what its files share. Other folders call ic_audit_law. */
#pragma once

#include "audit/common/finding.h"
#include "core/names.h"
#include "core/parameters.h"

#include <stdint.h>

/** How functions of a law are called. */
typedef struct ic_law_host {
    /* copies this process, with the interpreter that it runs: fork */
    int (*copy_process)(void);

    /* forces in n states of a contact, N */
    void (*forces)(double *force, const ic_law *law, const double *d, const double *v, size_t n, double memory,
                   const double *par);
} ic_law_host;

/** How C functions are called. */
extern const ic_law_host ic_law_host_of_c;

/** Audits a contact-force law; `seed`: of what is drawn. A plugin's law must be audited in a child process. */
void ic_audit_law(ic_finding_writer *writer, const ic_law *law, const ic_law_host *host, uint64_t seed);

/**
 * law_settings.c: Settings of a law's parameters in an audit: the defaults, then each parameter varied over its
 * range.
 */

enum { IC_MOST_LAW_SETTINGS = 64, IC_MOST_PAIR_SETTINGS = 320 };

typedef struct ic_law_setting {
    /* Index of the parameter that is varied; n_parameters: all have their defaults. */
    size_t parameter;

    double value;
} ic_law_setting;

/**
 * List the settings, and return their number. The defaults come first. For a finite range follow
 * those of its ends that belong to it, values close to both ends, and some values between them; for
 * an infinite range a quarter of the default, four times the default, and the end that belongs to
 * it.
 */
size_t ic_law_settings(ic_law_setting settings[IC_MOST_LAW_SETTINGS], const ic_law *law,
                       const double *defaults);

/**
 * Adds settings with drawn values: each parameter `times` times, one of each part of its range. A range without end is
 * taken as a decade around the default; for every second value, if there is a unit, as `decades`. Returns their number,
 * at most `most`.
 */
size_t ic_law_draw_settings(ic_law_setting *settings, size_t most, size_t times, double decades,
                            const ic_law *law, const double *defaults, uint64_t *seed);

/** ", with e = 0.02"; "" at the defaults. */
typedef struct ic_setting_text {
    char text[80];
} ic_setting_text;

ic_setting_text ic_law_setting_text(const ic_law *law, const ic_law_setting *setting);

/** The value of a text of a law for parameters, an indentation d, m, and a speed v0, m/s. false: see `error`. */
bool ic_law_text_value(double *value, const ic_law *law, const char *text, const double *par, double d,
                       double v0, ic_error *error);

/** Whether these parameters meet the law's requirements, in a contact that begins at v0. */
bool ic_law_permits(const ic_law *law, const double *par, double v0);

/**
 * law_probe.c: Supervised calls of a contact-force law, the scale of its indentations, and its free impacts.
 */

enum { IC_FIRST_ANSWERS = 48 };

typedef struct ic_law_probe {
    const ic_law *law;
    ic_law_host host;
    ic_parameters parameters;

    /* the present values */
    double *set;

    /* The same values in guarded memory, which is passed to the law. */
    ic_guarded par;

    /* mass of the bodies of free impacts: that for which the law is made (ic_law_probe_mass), or 1 kg */
    double mass;

    /* speed of the present contact, m/s */
    double v0, memory;

    /* the depth of an elastic impact at the present speed, m */
    double d0;

    /* force at rest at d0, N */
    double F0;

    /* of what is drawn */
    uint64_t seed;

    /* number of results that are not finite */
    size_t not_finite;

    /* number of parameters that the law has changed */
    size_t written;

    /* results of ic_law_probe_first before any other call, N */
    double first[IC_FIRST_ANSWERS];
} ic_law_probe;

/**
 * Set defaults and scales. false: `error` states the fault of the defaults. Close the probe in
 * either case.
 */
bool ic_law_probe_open(ic_law_probe *probe, const ic_law *law, const ic_law_host *host, uint64_t seed,
                       ic_error *error);
void ic_law_probe_close(ic_law_probe *probe);

/**
 * Sets parameters, and the scales for impacts at the speed v. false: the law forbids this setting.
 */
bool ic_law_probe_set(ic_law_probe *probe, const ic_law_setting *setting, double v);

/**
 * Force i of an impact at 1 m/s, N: indentations rise with i from 1e-9 m to 1e-3 m, and rates
 * alternate in sign.
 */
double ic_law_probe_first(ic_law_probe *probe, size_t i);

/** Begins a contact at the speed v0. */
void ic_law_probe_begin(ic_law_probe *probe, double v0);

/** Notes a state of the present contact in its memory, of a law with a history. */
void ic_law_probe_note(ic_law_probe *probe, double d, double v);

/** Force in the present contact, N. */
double ic_law_probe_force(ic_law_probe *probe, double d, double v);

/** Forces in n states of the present contact, N. */
void ic_law_probe_forces(ic_law_probe *probe, double *force, const double *d, const double *v, size_t n);

/**
 * Index of the parameter that is declared to be the coefficient of restitution: its name is "e", or the law's text
 * `restitution`; n_parameters: none.
 */
size_t ic_law_probe_restitution(const ic_law_probe *probe);

/**
 * The same; or, if none is declared, of the first one that may be it: unit 1, range within [0, 1], without
 * effect on the force at rest.
 */
size_t ic_law_probe_possible_restitution(ic_law_probe *probe);

/** Index of the only parameter with the unit kg, the mass for which the law is made; n_parameters: none, or several. */
size_t ic_law_probe_mass(const ic_law_probe *probe);

/** Integral of the force at rest from 0 to d, J: by one rule, or by as many parts as a kink needs. */
double ic_law_probe_work(ic_law_probe *probe, double d);
double ic_law_probe_exact_work(ic_law_probe *probe, double d);

/** The longest simulated impact, in units of d0/v0. */
#define IC_PROBE_LONG 100
#define IC_PROBE_SHORT 10

typedef struct ic_free_flight {
    /* rebound speed divided by impact speed; 0: the contact does not end */
    double restitution;

    /* greatest and least force, N */
    double most, least;

    /* drag is so strong that the body does not come back within the steps of a simulation */
    bool creeps;
} ic_free_flight;

/** The rebound speed at which a simulation ends, in units of v0: the energy grows without bound. */
#define IC_MOST_PROBE_SPEED 100.0

ic_free_flight ic_law_probe_impact(ic_law_probe *probe, double v0, int longest);

/**
 * law_calls.c: What a law's functions do beside their answers: memory that they keep, the processor's rounding
 * mode, bytes of uninitialised memory and earlier impacts that show in answers, and numbers of few digits.
 */

typedef struct ic_law_calls {
    const ic_law_host *host;

    /* bytes that one call adds to the heap; NAN: the allocator does not tell */
    double kept;

    /* a function changes the rounding mode */
    bool rounding;

    /* greatest relative difference of answers by other bytes in uninitialised memory; NAN: not known */
    double unset;

    /* the system has refused a process that was to tell `unset`, `stuck` or `kept_parameter` */
    bool refused;

    /* the memory of an impact is that of the first one */
    bool stuck;

    /* what has the digits of single precision: "d", "v", a parameter, "the force"; NULL: nothing */
    const char *single;

    /* the parameter whose first value is kept; n_parameters: none */
    size_t kept_parameter;
} ic_law_calls;

/** Takes what only the first impact of a process shows; to be called before any function of the law. */
void ic_law_calls_begin(ic_law_calls *calls, const ic_law *law, const ic_law_host *host);

/** Takes the rest, after all other measures. */
void ic_law_calls_end(ic_law_calls *calls, ic_law_probe *probe);

/** Adds rows. */
void ic_law_calls_write(ic_finding_writer *writer, const ic_law_calls *calls);

/**
 * law_fit.c: The force of a law, F(d, v) = f(d) + g(d, v) with f = F(d, 0), fitted by f = K d^n, and g = c v, g
 * = C_1 d v or g = a f v/v0; and registered laws with parameters that are found so.
 */

typedef struct ic_law_fit {
    /* N/m^n, 1 */
    double K, n;

    /* N s/m, N s/m^2 */
    double c, C_1;

    /* 1 */
    double a;

    /* index of the parameter that is the restitution, or may be it; n_parameters: none */
    size_t variable;
} ic_law_fit;

/** Fits the force at the present parameters, in a contact that begins at 1 m/s. */
ic_law_fit ic_law_fit_force(ic_law_probe *probe);

enum { IC_MOST_LAW_PARAMETERS = 32 };

/** A registered law and values of its parameters. */
typedef struct ic_known_law {
    const ic_law *law;
    double par[IC_MOST_LAW_PARAMETERS];

    /* index of its restitution; n_parameters: none */
    size_t e;
} ic_known_law;

/**
 * Sets parameters by name: those of the probed law, but fitted values for K, k, n, c and C_1. false: the law has a
 * parameter whose value is unknown.
 */
bool ic_known_law_set(ic_known_law *known, const ic_law *law, const ic_law_fit *fit, const ic_law_probe *p);

/** Name of the mass of a registered law whose drag grows with the root of it: another name is found by its unit, kg. */
#define IC_LAW_MASS "m_eff"

/** Sets this mass to the one with which the drag is that of the fit, of a law without a mass. */
void ic_known_law_fit_mass(ic_known_law *known, const ic_law_fit *fit, const ic_law_probe *probe);

/** Force, N, in a contact that began at v0. */
double ic_known_law_force(const ic_known_law *known, double d, double v, double v0);

/**
 * Sets the restitution with which the damping at the depth d equals that of the fit, of a law without this parameter.
 */
void ic_known_law_set_equivalent_restitution(ic_known_law *known, const ic_law_fit *fit, double d);

/**
 * law_samples.c: Forces of a plugin's law beside those of the registered law of the same name, with the same
 * parameters: at all settings, at speeds from 0.01 to 30 m/s, from the touch to ten times the depth of an
 * impact of 1 kg, in loading and in unloading, and above the surface where the registered law acts there.
 * Drawn speeds, depths, rates and parameters are added. Elastic force F(d, 0) and drag F(d, v) - F(d, 0) are samples
 * apart; above the surface the whole force is one
 * of drag.
 */

typedef enum ic_force_part { IC_ELASTIC, IC_DRAG, IC_FORCE_PARTS } ic_force_part;

/** Two forces at one place, N. */
typedef struct ic_force_sample {
    size_t setting;
    double d, v, v0;

    /* elastic force or drag: of the plugin's law, and of the registered one */
    double mine, theirs;

    /* that to which a difference is relative */
    double size;

    /* the plugin's whole force */
    double whole;
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
    size_t source[IC_MOST_LAW_PARAMETERS];

    /* a parameter has a fitted value, which belongs to the defaults: other settings say nothing */
    bool fitted[IC_FORCE_PARTS];

    /* the fixed ones come first, then the drawn ones */
    ic_law_setting settings[IC_MOST_PAIR_SETTINGS];
    size_t n_fixed, n_settings;

    /* parameters of the registered law at each setting */
    double par[IC_MOST_PAIR_SETTINGS][IC_MOST_LAW_PARAMETERS];

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

/** The power n that the unit of a parameter, N/m or N/m^n, says; NAN: none. */
double ic_law_unit_power(const ic_law_probe *probe, size_t i);

/** Name of the plugin's parameter that is the parameter i of the registered law. */
const char *ic_law_pair_name(const ic_law_pair *c, size_t i);

/**
 * law_changes.c: Mistakes in the code of a contact-force law as changes of the registered one: the changed law
 * is evaluated and compared with the forces observed. A change acts on the elastic force, on the drag, or on
 * both.
 */

/** audit/law/law_changes.def */
typedef enum ic_force_change_kind {
    IC_FORCE_UNCHANGED,
#define IC_FORCE_CHANGE(kind_, elastic_, drag_, words_) IC_FORCE_##kind_,
#include "audit/law/law_changes.def"
    IC_FORCE_CHANGE_KINDS
} ic_force_change_kind;

enum { IC_ON_ELASTIC = 1 << IC_ELASTIC, IC_ON_DRAG = 1 << IC_DRAG, IC_ON_BOTH = IC_ON_ELASTIC | IC_ON_DRAG };

typedef struct ic_force_change {
    ic_force_change_kind kind;
    unsigned on;

    /* indices of parameters of the registered law */
    size_t i, j;

    /* of a rate: 1 in loading only, -1 in unloading only, 0 both */
    int side;

    double x, y;

    /* the other law, and for each of its parameters that of the registered one, or n_parameters: the value in par */
    const ic_known_law *other;
    const size_t *other_source;

    /* a factor for each setting, NAN where the law has no force to compare; belongs to the search */
    const double *table;
} ic_force_change;

enum { IC_MOST_FORCE_CHANGES = 4 };

typedef struct ic_force_model {
    const ic_law_pair *pair;
    ic_force_change of[IC_MOST_FORCE_CHANGES];
    size_t n;
} ic_force_model;

/** The whole force of the changed law, N, with the parameters of a setting. */
double ic_force_model_whole(const ic_force_model *m, size_t setting, double d, double v, double v0);

/** What the changed law has where a sample was taken, N: its elastic force, or its drag. */
double ic_force_model_sample(const ic_force_model *m, ic_force_part part, const ic_force_sample *s);

/** The mistake of a change, as it shows in a part. */
ic_mistake_id ic_force_change_mistake(const ic_law_pair *pair, const ic_force_change *change,
                                      ic_force_part part);

enum { IC_FORCE_WORDS = 200 };

/** What the changed law does: "'e' has no effect, as if it were 0.8". */
void ic_force_change_words(char text[IC_FORCE_WORDS], const ic_law_pair *pair, const ic_force_change *change,
                           ic_force_part part);

/** law_claim.c: Comparison of a law with the registered law of the same name. */

/** What else is known of a law. */
typedef struct ic_law_claim_causes {
    /* the registered law that alone fits the force; or NULL */
    const ic_law *fits;

    /* a mistake that explains all other failures */
    ic_mistake_id whole;

    /* a mistake that explains a force of another shape */
    ic_mistake_id shape;

    /* the force has the digits of single precision */
    bool single;
} ic_law_claim_causes;

/** What the comparison found. */
typedef struct ic_law_claim_result {
    /* known mistakes explain all forces, and so what follows from them */
    bool explained;

    /* the parameter of the law claimed that this one lacks, so that nothing is compared; NULL: none */
    const char *missing;

    bool named[IC_MISTAKE_COUNT];
} ic_law_claim_result;

/**
 * Adds rows on condition, elastic force and damping if the law says that it is a registered one. false: it is not that
 * one.
 */
bool ic_law_check_claim(ic_law_claim_result *result, ic_finding_writer *writer, ic_law_probe *probe,
                        const ic_law_claim_causes *causes);

/** law_classify.c: The registered laws that fit a law's force. */

typedef struct ic_law_fitting {
    const ic_law *of[IC_MOST_CANDIDATES];
    size_t n;

    /* that which alone fits; NULL: none, or several */
    const ic_law *alone;
} ic_law_fitting;

/** Adds the classification "damping law". */
void ic_law_classify(ic_law_fitting *fitting, ic_finding_writer *writer, ic_law_probe *probe);

/** law_identity.c: What a law is, against what it says that it is. */

/** The registered law that a law says it is, by `implements` or by its name; NULL: none. */
const ic_law *ic_law_claimed(const ic_law *law);

/** Adds the row on it. `right`: the law claimed has all its forces. */
void ic_law_check_identity(ic_finding_writer *writer, ic_law_probe *probe, const ic_law_fitting *fitting,
                           const ic_law_claim_result *claim, bool right);

/** law_fits.c: Changes of a law whose values follow from single forces, which the search then tries on all. */

enum { IC_MOST_FORCE_FITTED = 256, IC_FORCE_FIT_SAMPLES = 40, IC_MOST_FORCE_OTHERS = 32 };

/** Registered laws whose parameters are among those of the law at hand. */
typedef struct ic_other_laws {
    struct {
        ic_known_law law;
        size_t source[IC_MOST_LAW_PARAMETERS];

        /* its elastic force is known as well */
        bool whole;
    } of[IC_MOST_FORCE_OTHERS];

    size_t n;
} ic_other_laws;

void ic_other_laws_find(ic_other_laws *others, const ic_law_pair *pair);

/** Forces from which values are taken: some at the defaults, each with partners that differ in one quantity. */
typedef struct ic_fit_samples {
    ic_force_part part;
    size_t n, at[IC_FORCE_FIT_SAMPLES];

    /* index of a sample with another depth alone; that of the sample itself, as for the next two: none */
    size_t deeper[IC_FORCE_FIT_SAMPLES];

    /* the same with another rate alone */
    size_t faster[IC_FORCE_FIT_SAMPLES];

    /* the same with another speed of the impact alone */
    size_t other_impact[IC_FORCE_FIT_SAMPLES];
} ic_fit_samples;

void ic_fit_samples_choose(ic_fit_samples *chosen, const ic_law_pair *pair, ic_force_part part);

typedef struct ic_fitted_changes {
    ic_force_change of[IC_MOST_FORCE_FITTED];
    size_t n;

    /* evaluations of changed laws that it took to fit them */
    long calls;
} ic_fitted_changes;

/**
 * Changes that may explain what the model `base` leaves: specific ones first. `defaults_only`: other settings are not
 * looked at, so that changes of parameters cannot be told from others.
 */
void ic_force_fit(ic_fitted_changes *fitted, const ic_force_model *base, const ic_fit_samples *samples,
                  const ic_other_laws *others, bool defaults_only);

/** A factor for each setting, in `table`, with its range in the change. false: forces of a setting have none. */
bool ic_force_fit_factors(ic_force_change *change, double table[IC_MOST_PAIR_SETTINGS],
                          const ic_force_model *base, ic_force_part part);

/**
 * law_measures.c: Measures of a law that need no other law: promises, energy, memory and rates, each at the worst
 * setting of the parameters.
 */

typedef enum ic_law_measure {
    IC_OF_ONSET,
    IC_OF_GAP,
    IC_OF_CONTINUITY,
    IC_OF_TENSION,
    IC_OF_DISSIPATION,
    IC_OF_REBOUND,
    IC_OF_HISTORY,
    IC_OF_RATE,
    IC_OF_ENERGY_HELD,
    IC_OF_RISING,
    IC_OF_PUSHING,
    IC_OF_KINK,
    IC_LAW_MEASURES
} ic_law_measure;

/** The worst value of a measure, and where it occurs. */
typedef struct ic_law_worst {
    bool measured;
    double value;

    /*
     * indentation, m, its rate, m/s, and v0, m/s; NAN: the measure does not belong to a single
     * indentation or rate
     */
    double d, v, v0;

    ic_law_setting setting;
} ic_law_worst;

typedef struct ic_law_measures {
    ic_law_probe probe;
    ic_law_setting setting;
    ic_law_worst worst[IC_LAW_MEASURES];

    /* relative change of a result by other calls */
    double memory;

    /* the memory is the same at every speed */
    bool memory_stuck;

    size_t n_settings;

    /* the first setting with a result that is not finite */
    ic_law_setting spoilt;

    ic_law_calls calls;

    /* the force at rest pulls */
    bool pulls;

    /* the memory of a law with a history does not change its force at any setting */
    bool history_unused;

    /* a mistake in the force is known that explains wrong energies and texts */
    bool explained;

    ic_law_claim_result claim;

    /* where the force begins without a jump, although reach() says otherwise, m; NAN: not so */
    double begins;
} ic_law_measures;

/** Takes all measures over settings and speeds. */
void ic_law_measure_all(ic_law_measures *m, ic_finding_writer *writer);

/** Index of the first parameter that changes no answer; n_parameters: none. */
size_t ic_law_find_idle(ic_law_probe *probe);

/**
 * law_restitution.c: The restitution in effect, e_out, as a function of the prescribed one, e_in, and the speed of the
 * impact.
 */

/**
 * Adds the points of the curve, and a row: e_out against what the law's texts state, or what to declare. `texts`: the
 * mistake of the texts; `explained`: a mistake in the force is known.
 */
void ic_law_check_restitution(ic_finding_writer *writer, ic_law_probe *probe, ic_mistake_id texts,
                              bool explained);

/**
 * law_search.c: The search for the mistakes of a law: which changes of the registered law give all forces that
 * were observed.
 */

typedef struct ic_force_found {
    /* changes that explain all elastic forces are known; and all drags with them */
    bool explained[IC_FORCE_PARTS];

    /* they explain the forces at the defaults only */
    bool defaults_only;

    /* those of the elastic force, then those of the drag alone */
    ic_force_model model;
    size_t n_elastic;

    /* another registered law whose drag is the changed one's as well; NULL: none */
    const ic_law *also;

    /* what the changes of the model refer to: factors by setting, and other laws */
    double tables[IC_FORCE_PARTS][IC_MOST_PAIR_SETTINGS];
    ic_other_laws others;
} ic_force_found;

/**
 * Searches changes: one before two, specific ones before factors that depend on the parameters. `single`: the forces
 * have the digits of single precision.
 */
void ic_force_search(ic_force_found *found, const ic_law_pair *pair, bool single);

/**
 * law_texts.c: The closed form that a law states (texts of ic_law): its values, and their comparison with the
 * force.
 */

/**
 * The coefficient of restitution of a free impact at v0 by the law's texts: the value of
 * `restitution`, or the one that follows from `damping`. NAN: the law has neither, or they have no
 * value.
 */
double ic_law_stated_restitution(const ic_law_probe *probe, double v0);

/**
 * Adds rows on the texts of the elastic force, of its energy and of the drag, over settings, speeds
 * and indentations. `explained`: a mistake in the force is known, so that differences are no fault of the texts;
 * `gives`: the drag supplies energy. Returns
 * the mistake of the texts; IC_NO_MISTAKE: they are right, or the mistake is the known one.
 */
ic_mistake_id ic_law_check_texts(ic_finding_writer *writer, ic_law_probe *probe, bool explained, bool gives);
