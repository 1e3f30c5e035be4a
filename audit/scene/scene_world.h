/* SPDX-License-Identifier: MIT */
/** A scene with numbers in place of formulas, in one setting of its parameters. */
#ifndef IC_AUDIT_SCENE_SCENE_WORLD_H
#define IC_AUDIT_SCENE_SCENE_WORLD_H

#include "audit/scene/scene_file.h"

/** Steps of a motion at most. */
#define IC_WORLD_STEPS_MOST 1e6

/** A rigid body. Quaternions are W X Y Z. */
typedef struct ic_world_body {
    const char *name;
    bool fixed;

    /* kg, kg m^2 */
    double mass, inertia[3];

    /* m, 1, m/s, rad/s */
    double at[3], turned[4], velocity[3], spin[3];

    struct {
        ic_scene_shape_kind kind;

        /* radius, or half lengths; centre; m */
        double size[3], at[3];
    } shapes[IC_SCENE_SHAPES_MOST];
    size_t n_shapes;
} ic_world_body;

typedef struct ic_world_hinge {
    const char *bodies[2];
    double at[3], axis[3], from, to;
} ic_world_hinge;

typedef struct ic_world {
    const ic_scene_file *file;

    /* parameters */
    double par[IC_SCENE_PARAMETERS_MOST];

    /* m/s^2; 1; s */
    double gravity[3], restitution, friction, step;
    size_t steps;

    ic_world_body bodies[IC_SCENE_BODIES_MOST];
    size_t n_bodies, n_moving;

    ic_world_hinge hinges[IC_SCENE_HINGES_MOST];
    size_t n_hinges;
} ic_world;

/** Values of the parameters in setting number `setting`. */
void ic_scene_parameters(double *par, const ic_scene_file *file, size_t setting);

/** A number as text: "0.25", or "not a number". */
void ic_scene_number_text(char *text, size_t size, double value, int digits);

/** A setting as text: "v = 3 m/s, phase = 0.25"; "as it comes" if the scene has only one. */
void ic_scene_setting_text(char *text, size_t size, const ic_scene_file *file, size_t setting);

/** The scene in a setting, which its reader has checked. */
void ic_world_make(ic_world *world, const ic_scene_file *file, size_t setting);

/** Whether a figure is judged in the setting of the world. */
bool ic_world_judges(const ic_world *world, const ic_scene_figure *figure);

/** The first and last row from which a figure is taken, from its `from` to its `to`. false: there is none. */
bool ic_world_window(const ic_world *world, const ic_scene_figure *figure, size_t *first, size_t *last);

/** Whether a condition holds in the setting of the world; one that is not given does. */
bool ic_world_holds(const ic_world *world, const ic_scene_formula *condition);

/** Whether a body looks the same however it is turned: a sphere about its centre of mass. */
bool ic_world_is_round(const ic_world_body *body);

/** Angle about z of an orientation, rad. */
double ic_world_angle(const double turned[4]);

/** The lines of the protocol. */
void ic_world_write(FILE *out, const ic_world *world, const char *config, const char *variant);

#endif
