/* SPDX-License-Identifier: MIT */
/**
 * A ball, 1 kg from 0.05 m, g = 10 m/s^2, on a spring of 1e12 N/m:
 *
 *     flight:  x'' = -g  until x falls to 0          contact:  x'' = -g - w^2 x,  w = 1e6/s,  until x rises to 0
 *
 * A contact lasts (2 pi - 2 atan(w v_0/g))/w = 3.14 us and loses nothing. A step that is longer
 * goes far too deep, and the spring throws the ball out with far too much speed. The fall is low: a solver with
 * fixed steps has to follow all of it in steps that resolve the contact.
 */
#include "audit/solver/traps.h"

enum { X, V };
enum { FLIGHT, CONTACT };

static const ic_state states[] = {{"x", "m", "height", "1/20"}, {"v", "m/s", "velocity, upwards", "1"}};

IC_TRAP_FLOW(flight, x[V], -10)
IC_TRAP_FLOW(contact, x[V], -10 - 1e12 * x[X])
IC_TRAP_VALUE(height, x[X])
IC_TRAP_VALUE(height_rate, x[V])
IC_TRAP_JUMP(pass, x[X], x[V])
IC_TRAP_LEAP(start, FLIGHT, ("1/20", "0"), 0.05, 0)

static const ic_branch to_contact[] = {{.mode = CONTACT}};
static const ic_branch to_flight[] = {{.mode = FLIGHT}};

static const ic_guard flight_guards[] = {
    IC_TRAP_EVENT_TO("touch-down", "m", "contact begins", -1, height, height_rate, "x", pass, to_contact)};
static const ic_guard contact_guards[] = {
    IC_TRAP_EVENT_TO("lift-off", "m", "contact ends", +1, height, height_rate, "x", pass, to_flight)};
static const ic_mode modes[] = {
    [FLIGHT] = {IC_TRAP_MODE("flight", "free fall", flight, IC_TEXTS("v", "-10"), flight_guards)},
    [CONTACT] = {IC_TRAP_MODE("contact", "on the spring", contact, IC_TEXTS("v", "-10 - 1e12*x"),
                              contact_guards)},
};
static const ic_variant variants[] = {{IC_TRAP_VARIANT("spring", "an elastic floor", modes, start)}};
static const ic_preset presets[] = {{"two", "spring", "", "0.36", "two contacts"}};

IC_TRAP_SYSTEM("stiff-contact", "A contact of three microseconds", "RobotLocomotion/drake#18241")

/* t_0 = 0.1, and flights of 2 t_0 between contacts */
static const ic_trap_event events[] = {
    {IC_EVENT_GUARD, "touch-down", 0.1, 0},
    {IC_EVENT_GUARD, "lift-off", 0.100003141612653589792571797596, 0},
    {IC_EVENT_GUARD, "touch-down", 0.300003141612653589792571797597, 0},
    {IC_EVENT_GUARD, "lift-off", 0.300006283225307179585143591954, 0},
};

/*
 * e is the error of the steps over a typical time. In addition to 0.36 s of flight there are 2 pi radians of
 * contact, which makes it 5 e of 1 m/s in speed. The next flight is then longer by 2 x 5 e/g s for each e, and the
 * fall by 2 e/g: dt. At the end, with up to 1 m/s, that is 2 e m, 40 e of the height's scale, and 5 e and 10 dt of
 * the speed's: dx.
 */
static const ic_trap_run runs[] = {
    {.preset = "two",
     IC_TRAP_EVENTS(events),
     .end = {0.0419974865124825268620326027837, 0.400062832253071795851435919535},
     .dt = 2,
     .dx = 40,
     .fastest = 1e-6,
     .step = 1e-7}};

IC_TRAP_OF(stiff_contact, "a step longer than the contact creates energy",
           "RobotLocomotion/drake#18241, gbionics/jaxsim#424, google-deepmind/mujoco#3466, schteppe/p2.js#203",
           .mistakes = {
               [IC_SYMPTOM_TIME] = IC_MISTAKE_ENERGY_APPEARS, [IC_SYMPTOM_END] = IC_MISTAKE_ENERGY_APPEARS});
