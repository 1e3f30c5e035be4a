/* SPDX-License-Identifier: MIT */
/**
 * A ball, 1 kg from 1 m, g = 10 m/s^2, on a spring of 1e12 N/m:
 *
 *     flight:  x'' = -g  until x falls to 0          contact:  x'' = -g - w^2 x,  w = 1e6/s,  until x rises to 0
 *
 * A contact lasts (2 pi - 2 atan(w v_0/g))/w = 3.14 us and loses nothing. A step that is longer
 * goes far too deep, and the spring throws the ball out with far too much speed.
 */
#include "audit/solver/trap_parts.h"

enum { X, V };
enum { FLIGHT, CONTACT };

static const ic_state states[] = {{"x", "m", "height", "1"}, {"v", "m/s", "velocity, upwards", "sqrt(20)"}};

IC_TRAP_FLOW(flight, x[V], -10)
IC_TRAP_FLOW(contact, x[V], -10 - 1e12 * x[X])
IC_TRAP_VALUE(height, x[X])
IC_TRAP_VALUE(height_rate, x[V])
IC_TRAP_JUMP(pass, x[X], x[V])
IC_TRAP_JUMP(start, 1, 0)

static const ic_branch to_contact[] = {{.mode = CONTACT}};
static const ic_branch to_flight[] = {{.mode = FLIGHT}};
static const ic_branch start_branches[] = {{.mode = FLIGHT, .state = IC_TEXTS("1", "0")}};

static const ic_guard flight_guards[] = {
    {IC_TRAP_GUARD("touch-down", "m", "contact begins", -1, height, height_rate, "x"),
     .jump = IC_LINEAR_JUMP(pass, to_contact)}};
static const ic_guard contact_guards[] = {
    {IC_TRAP_GUARD("lift-off", "m", "contact ends", +1, height, height_rate, "x"),
     .jump = IC_LINEAR_JUMP(pass, to_flight)}};
static const ic_mode modes[] = {
    [FLIGHT] = {IC_TRAP_MODE("flight", "free fall", flight, IC_TEXTS("v", "-10"), flight_guards)},
    [CONTACT] = {IC_TRAP_MODE("contact", "on the spring", contact, IC_TEXTS("v", "-10 - 1e12*x"),
                              contact_guards)},
};
static const ic_variant variants[] = {
    {IC_TRAP_VARIANT("spring", "an elastic floor", modes, start, start_branches)}};
static const ic_preset presets[] = {{"two", "spring", "", "1.6", "two contacts"}};

static const ic_case system = {
    IC_TRAP_CASE("stiff-contact", "A contact of three microseconds", "RobotLocomotion/drake#18241"),
    IC_TRAP_TABLES(states, variants, presets), .time_scale = "1"};

/* t_0 = sqrt(1/5), and flights of 2 t_0 between contacts */
static const ic_trap_event events[] = {
    {IC_EVENT_GUARD, "touch-down", 0.447213595499957939281834733746, 0},
    {IC_EVENT_GUARD, "lift-off", 0.447216737097083665030065322223, 0},
    {IC_EVENT_GUARD, "touch-down", 1.34164392809699954359373478972, 0},
    {IC_EVENT_GUARD, "lift-off", 1.34164706969412526934196537819, 0},
};

/*
 * e is the error of the steps over a typical time. In addition to 1.6 s of flight there are 2 pi
 * radians of contact, which makes it 5 e of 4.5 m/s in speed. The next flight is then longer by
 * 2 x 4.5 e/g s for each e: dt. At the end, with up to 4.5 m/s, that is 4 e m: dx.
 */
static const ic_trap_run runs[] = {{.preset = "two",
                                    IC_TRAP_EVENTS(events),
                                    .end = {0.821658245712242036351412300975, 1.88860665194083208623800111938},
                                    .dt = 10,
                                    .dx = 20,
                                    .fastest = 1e-6,
                                    .step = 1e-7}};

const ic_trap ic_trap_stiff_contact = {
    .title = "a step longer than the contact creates energy",
    .cites =
        "RobotLocomotion/drake#18241, gbionics/jaxsim#424, google-deepmind/mujoco#3466, schteppe/p2.js#203",
    IC_TRAP_RUNS(system, runs),
    .mistakes = {[IC_SYMPTOM_TIME] = IC_MISTAKE_ENERGY_APPEARS, [IC_SYMPTOM_END] = IC_MISTAKE_ENERGY_APPEARS},
};
