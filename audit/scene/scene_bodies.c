/* SPDX-License-Identifier: MIT */
/* Reads the bodies and joints of a scene. */
#include "audit/scene/scene_file.h"

#include <string.h>

/* ---- shapes */

static bool read_size(ic_scene_reader *r, ic_scene_shape *shape, const ic_yaml *section, const char *key)
{
    const ic_yaml *size = ic_yaml_get(section, key);
    if (shape->kind == IC_SCENE_SHAPE_SPHERE)
        return ic_scene_read_quantity(r, &shape->size[0], size, "m", "the radius of a sphere");
    if (shape->kind == IC_SCENE_SHAPE_BOX)
        return ic_scene_read_vector(r, shape->size, size, "m", "a box, by the lengths of its edges,");
    return true;
}

/* Adds the shape that a mapping has, if it has one. */
static bool read_shape(ic_scene_reader *r, ic_rigid_body *body, const ic_yaml *section, bool placed)
{
    static const char *const words[] = {
        [IC_SCENE_SHAPE_SPHERE] = "sphere", [IC_SCENE_SHAPE_BOX] = "box", [IC_SCENE_SHAPE_PLANE] = "plane"};
    const ic_yaml *at = placed ? ic_yaml_get(section, "at") : NULL;
    const size_t before = body->n_shapes;
    for (int kind = IC_SCENE_SHAPE_SPHERE; kind <= IC_SCENE_SHAPE_PLANE; kind++) {
        const ic_yaml *given = ic_yaml_get(section, words[kind]);
        if (given == NULL) continue;
        if (body->n_shapes > before)
            return ic_fault_add(&r->faults, given->place,
                                "only one of 'sphere', 'box' and 'plane' may be given");
        if (kind == IC_SCENE_SHAPE_PLANE && strcmp(given->text, "true") != 0)
            return ic_fault_add(&r->faults, given->place, "'plane' must be true");
        if (kind == IC_SCENE_SHAPE_PLANE && !body->fixed)
            return ic_fault_add(&r->faults, section->place, "a plane is a shape of fixed bodies only");
        if (body->n_shapes == IC_MOST_SCENE_SHAPES)
            return ic_fault_add(&r->faults, section->place, "'%s' has more than %d shapes", body->name,
                                IC_MOST_SCENE_SHAPES);
        ic_scene_shape *shape = &body->shapes[body->n_shapes++];
        shape->kind = (ic_scene_shape_kind)kind;
        if (!read_size(r, shape, section, words[kind])) return false;
        if (at != NULL && !ic_scene_read_vector(r, shape->at, at, "m", "the place of a shape")) return false;
    }
    return true;
}

static bool read_shapes(ic_scene_reader *r, ic_rigid_body *body, const ic_yaml *section)
{
    const ic_yaml *list = ic_yaml_get(section, "shapes");
    bool good = read_shape(r, body, section, false);
    if (list != NULL && list->kind != IC_YAML_SEQUENCE)
        return ic_fault_add(&r->faults, list->place, "'shapes' must be a list");
    if (list != NULL && body->n_shapes > 0)
        return ic_fault_add(&r->faults, list->place,
                            "'shapes' must not be given together with a sphere, a box or a plane");
    for (size_t i = 0; list != NULL && i < list->n_items; i++)
        good = ic_known_keys(&r->faults, list->items[i], &ic_schema_scene_shape) &&
               read_shape(r, body, list->items[i], true) && good;
    if (good && body->n_shapes == 0)
        return ic_fault_add(&r->faults, section->place, "'%s' needs a shape: sphere, box, plane, or shapes",
                            body->name);
    return good;
}

/* ---- bodies */

static bool read_optional_vector(ic_scene_reader *r, ic_scene_formula vector[3], const ic_yaml *section,
                                 const char *key, const char *unit)
{
    const ic_yaml *list = ic_yaml_get(section, key);
    return list == NULL || ic_scene_read_vector(r, vector, list, unit, key);
}

/* An angle about z, or an axis and an angle. */
static bool read_orientation(ic_scene_reader *r, ic_rigid_body *body, const ic_yaml *turned)
{
    if (turned == NULL) return true;
    if (turned->kind == IC_YAML_SCALAR)
        return ic_scene_read_quantity(r, &body->angle, turned, "rad", "an angle about z");
    const ic_yaml *axis = ic_yaml_get(turned, "axis"), *angle = ic_yaml_get(turned, "angle");
    if (!ic_known_keys(&r->faults, turned, &ic_schema_scene_turned)) return false;
    return ic_scene_read_vector(r, body->axis, axis, "1", "an axis") &&
           ic_scene_read_quantity(r, &body->angle, angle, "rad", "an angle");
}

static bool read_masses(ic_scene_reader *r, ic_rigid_body *body, const ic_yaml *section)
{
    const ic_yaml *mass = ic_yaml_get(section, "mass"), *inertia = ic_yaml_get(section, "inertia");
    if (body->fixed) return true;
    if (mass == NULL)
        return ic_fault_add(&r->faults, section->place,
                            "'%s' needs a 'mass'; a body that does not move is fixed: true", body->name);
    if (inertia == NULL && body->n_shapes > 1)
        return ic_fault_add(&r->faults, section->place, "'%s' has several shapes: it needs 'inertia'",
                            body->name);
    body->has_inertia = inertia != NULL;
    return ic_scene_read_quantity(r, &body->mass, mass, "kg", "a mass") &&
           (inertia == NULL || ic_scene_read_vector(r, body->inertia, inertia, "kg m^2", "inertia"));
}

static bool read_body(ic_scene_reader *r, const ic_yaml *name, const ic_yaml *section)
{
    static const char *const moving[] = {"mass", "inertia", "velocity", "spin", NULL};
    if (!ic_scene_body_name(r, name) || !ic_known_keys(&r->faults, section, &ic_schema_scene_body))
        return false;
    ic_rigid_body *body = &r->file->bodies[r->file->n_bodies++];
    body->name = name->text;
    body->place = section->place;
    if (!ic_scene_flag(r, section, "fixed", &body->fixed)) return false;
    for (size_t i = 0; body->fixed && moving[i] != NULL; i++) {
        const ic_yaml *value = ic_yaml_get(section, moving[i]);
        if (value != NULL)
            return ic_fault_add(&r->faults, value->place, "'%s' is of moving bodies only", moving[i]);
    }
    const ic_yaml *when = ic_yaml_get(section, "when");
    if (when != NULL && !ic_scene_read_condition(r, &body->when, when)) return false;
    return read_shapes(r, body, section) && read_masses(r, body, section) &&
           read_optional_vector(r, body->at, section, "at", "m") &&
           read_orientation(r, body, ic_yaml_get(section, "turned")) &&
           read_optional_vector(r, body->velocity, section, "velocity", "m/s") &&
           read_optional_vector(r, body->spin, section, "spin", "rad/s");
}

bool ic_scene_read_bodies(ic_scene_reader *r, const ic_yaml *bodies)
{
    if (bodies->kind != IC_YAML_MAPPING || bodies->n_keys == 0)
        return ic_fault_add(&r->faults, bodies->place, "'bodies' must be {NAME: {...}}");
    if (bodies->n_keys > IC_MOST_SCENE_BODIES)
        return ic_fault_add(&r->faults, bodies->place, "more than %d bodies", IC_MOST_SCENE_BODIES);
    bool good = true;
    for (size_t i = 0; i < bodies->n_keys; i++) good = read_body(r, bodies->keys[i], bodies->items[i]) && good;
    return good;
}

/* ---- hinges */

/* An angle, or infinity, which has no program. */
static bool read_stop(ic_scene_reader *r, ic_scene_formula *formula, const ic_yaml *text, const char *none,
                      const char *what)
{
    return strcmp(text->text, none) == 0 || ic_scene_read_quantity(r, formula, text, "rad", what);
}

static bool read_hinge(ic_scene_reader *r, ic_scene_hinge *hinge, const ic_yaml *section)
{
    if (!ic_known_keys(&r->faults, section, &ic_schema_scene_hinge)) return false;
    const ic_yaml *of = ic_yaml_get(section, "of");
    if (of->kind != IC_YAML_SEQUENCE || of->n_items != 2)
        return ic_fault_add(&r->faults, of->place, "'of' must name two bodies: [A, B]");
    for (size_t k = 0; k < 2; k++) {
        const int body = ic_scene_body_find(r->file, of->items[k]->text);
        if (body < 0)
            return ic_fault_add(&r->faults, of->items[k]->place, "there is no body '%s'", of->items[k]->text);
        hinge->bodies[k] = (size_t)body;
    }
    hinge->place = section->place;
    if (hinge->bodies[0] == hinge->bodies[1])
        return ic_fault_add(&r->faults, of->place, "a hinge must join two different bodies");
    if (r->file->bodies[hinge->bodies[0]].fixed && r->file->bodies[hinge->bodies[1]].fixed)
        return ic_fault_add(&r->faults, of->place, "a hinge must join a moving body with another");
    return ic_scene_read_vector(r, hinge->at, ic_yaml_get(section, "at"), "m", "the place of a hinge") &&
           ic_scene_read_vector(r, hinge->axis, ic_yaml_get(section, "axis"), "1", "the axis of a hinge") &&
           read_stop(r, &hinge->from, ic_yaml_get(section, "from"), "-inf", "the least angle") &&
           read_stop(r, &hinge->to, ic_yaml_get(section, "to"), "inf", "the greatest angle");
}

bool ic_scene_read_hinges(ic_scene_reader *r, const ic_yaml *hinges)
{
    if (hinges == NULL) return true;
    if (hinges->kind != IC_YAML_SEQUENCE)
        return ic_fault_add(&r->faults, hinges->place, "'hinges' must be a list");
    if (hinges->n_items > IC_MOST_SCENE_HINGES)
        return ic_fault_add(&r->faults, hinges->place, "more than %d hinges", IC_MOST_SCENE_HINGES);
    r->file->hinges = ic_arena_take(&r->file->arena, hinges->n_items * sizeof *r->file->hinges + 1);
    if (r->file->hinges == NULL) return ic_fault_memory(&r->faults, hinges->place);
    for (size_t i = 0; i < hinges->n_items; i++) {
        if (!read_hinge(r, &r->file->hinges[r->file->n_hinges++], hinges->items[i])) return false;
    }
    return true;
}

/* ---- exact motions */

/* A formula in the time and in answers of the case at this time; nothing without a text. */
static bool read_in_time(ic_scene_reader *r, ic_scene_formula *formula, const ic_yaml *text, const char *unit,
                         const char *what)
{
    return text == NULL ||
           ic_scene_read_quantity_in(r, formula, text, unit, what, IC_USE_ANSWERS | IC_USE_TIME);
}

/* A unit quaternion. */
static bool read_quaternion(ic_scene_reader *r, ic_scene_formula turned[4], const ic_yaml *list)
{
    if (list->kind != IC_YAML_SEQUENCE || list->n_items != 4)
        return ic_fault_add(&r->faults, list->place, "'turned' must be a unit quaternion: [W, X, Y, Z]");
    for (size_t k = 0; k < 4; k++) {
        if (!read_in_time(r, &turned[k], list->items[k], "1", "a quaternion")) return false;
    }
    return true;
}

static bool read_path(ic_scene_reader *r, ic_scene_path *path, const ic_yaml *section)
{
    static const char *const axes[] = {"x", "y", "z"};
    if (!ic_known_keys(&r->faults, section,
                       r->file->dimension == 2 ? &ic_schema_scene_path_plane : &ic_schema_scene_path_space))
        return false;
    const ic_yaml *when = ic_yaml_get(section, "when"), *turned = ic_yaml_get(section, "turned");
    path->given = true;
    for (int k = 0; k < 3; k++) {
        if (!read_in_time(r, &path->at[k], ic_yaml_get(section, axes[k]), "m", axes[k])) return false;
    }
    return read_in_time(r, &path->angle, ic_yaml_get(section, "angle"), "rad", "angle") &&
           (turned == NULL || read_quaternion(r, path->turned, turned)) &&
           (when == NULL || ic_scene_read_condition(r, &path->when, when));
}

bool ic_scene_read_motion(ic_scene_reader *r, const ic_yaml *motion)
{
    r->file->answer.n_judged = r->file->answer.n_answers;
    if (motion == NULL) return true;
    if (motion->kind != IC_YAML_MAPPING)
        return ic_fault_add(&r->faults, motion->place,
                            "'motion' must be that of bodies: {NAME: {x: ..., y: ...}}");
    for (size_t i = 0; i < motion->n_keys; i++) {
        const ic_yaml *name = motion->keys[i];
        const int body = ic_scene_body_find(r->file, name->text);
        if (body < 0 || r->file->bodies[body].fixed)
            return ic_fault_add(&r->faults, name->place, "there is no moving body '%s'", name->text);
        if (!read_path(r, &r->file->bodies[body].path, motion->items[i])) return false;
    }
    return true;
}
