/* SPDX-License-Identifier: MIT */
/* Small machines from files with answers in closed form, by every general solver. */
#include "casefile/casefile.h"
#include "reference/judge/judge.h"
#include "tests/machine.h"

IC_SUITE(solvers, "answers of small machines")

#define REST "states: {x: m, v: m/s}\n"
#define TABLE "elements: {table: {stop: {gap: x, restitution: 0.5}}}\n"

/* A box without weight that falls flat on two corners at 1 m/s, of the mass 1 kg and the width 0.4 m. */
#define BOX(e, h)                                                                                              \
    "parameters: {m: 1 kg, b: 0.4 m, h: " h ", J: {value: m*(b^2 + h^2)/12, unit: kg m^2}}\n"                  \
    "states: {y: {unit: m, start: 0.05 m}, phi: rad, v: {unit: m/s, start: -1 m/s}, w: rad/s}\n"               \
    "flow: {y: v, phi: w}\nmass: {of: [v, w], matrix: [[m, 0], [0, J]], force: [0 N, 0]}\n"                    \
    "elements: {left: {stop: {gap: y - b/2*phi, restitution: " e "}},\n"                                       \
    "  right: {stop: {gap: y + b/2*phi, restitution: " e "}}}\n"

/* A ball that falls on a compliant floor; right values by Runge-Kutta steps in the root of the time since each touch. */
#define HERTZ(force)                                                                                           \
    "parameters: {g: 9.81 m/s^2}\ndefinitions: {X: x/(1 m), V: v/(1 m/s)}\n"                                   \
    "states: {x: {unit: m, start: 0.05 m}, v: m/s}\nflow: {x: v, v: \"-g + (" force ")*(1 m/s^2)\"}\n"         \
    "presets: {default: {until: 1 s}}\n"

/* Bodies of 1 kg that start together with a velocity, and a stop between them. */
#define PAIR_OF(start, one, other)                                                                             \
    "states: {x: m, v: {unit: m/s, start: " start "}, y: m, w: {unit: m/s, start: " start "}}\n"               \
    "flow: {x: v, v: \"" one "\", y: w, w: \"" other "\"}\n"                                                   \
    "elements: {pair: {stop: {gap: y - x, pushes: {v: -1/(1 kg), w: 1/(1 kg)}}}}\n"

/* refined_step finds a stop late by up to a microsecond where impacts accumulate, at less than 1 m/s, m. */
#define LATE_REST 1e-6

/* A fifth of the default, which takes half a minute for all. */
enum { FIXED_STEPS = 20000 };

typedef struct answer {
    const char *what, *text, *state;
    double value, tolerance;
} answer;

/* A body that is moved to its stop, or behind it, and one that a time event finds there. */
#define KICK(start, then)                                                                                      \
    "states: {x: {unit: m, start: 1 m}, v: {unit: m/s, start: " start "}}\nflow: {x: v, v: 0 m/s^2}\n"         \
    "elements: {w: {stop: {gap: x, restitution: 0.5}}}\ntimes: {k: {at: 1 s, then: {" then "}}}\n"             \
    "presets: {default: {until: 2 s}}\n"

/* Two frequencies in one mode, which is no linear view. */
#define TWO_FREQUENCIES                                                                                        \
    "states: {x: 1}\nparameters: {f: 1 1/s, w: 7 1/s}\ndiscrete: {n: {start: 0}}\nflow: {x: f*cos(f*t)}\n"     \
    "until: {a: {rises: sin(w*t - 0.1), then: {n: n + 1}}}\npresets: {default: {until: 20 s}}\n"

static const answer answers[] = {
    {"a body that is moved below the surface waits under condition C until it has returned",
     "states: {x: {unit: m, start: 1 m}, v: m/s}\nflow: {x: v, v: -(2 m/s^2)}\nparameters: {m: 1 kg, k: 1 N/m}\n"
     "elements: {soil: {contact: {indentation: -x, pushes: {v: 1/m}, conditions: [C]}}}\n"
     "times: {k: {at: 0.5 s, then: {x: -1 m}}}\npresets: {default: {until: 1.5 s}}\n",
     "x", -3, 1e-9},
    {"guards forced at another frequency than the flow", TWO_FREQUENCIES, "n", 23, 1e-9},
    {"a touch within a step",
     "states: {x: {unit: 1, start: 4}}\nparameters: {f: 1 1/s}\ndiscrete: {n: {start: 0}}\n"
     "flow: {x: f*(2*f*t - 4)}\nuntil: {a: {falls: x, then: {n: n + 1}}}\n"
     "presets: {default: {until: 3.9 s}}\n",
     "n", 0, 1e-9},
    {"a slip that is rounding at the start, where static friction holds, and kinetic friction would not",
     "parameters: {m: 1 kg, M: 2 kg, k: 1 N/m, c: 0.2 N s/m}\nstates: {x: {unit: m, start: 0.5 m}, "
     "v: {unit: m/s, start: 0.6 m/s}, y: {unit: m, start: 1.15 m}, w: {unit: m/s, start: 0.8 m/s}}\n"
     "flow: {x: v, v: \"(-12*k*x - c*v - 0.9*k*min(x - (1.9 m), -(1.5 m)))/m\", y: w,\n"
     "  w: \"(-4*k*y - c*w + 5*k*(x - y))/M\"}\n"
     "elements: {grip: {friction: {slip: w - v - (0.2 m/s), normal: 3.4 N, static: 0.3, kinetic: 0.1,\n"
     "  pushes: {v: -1/m, w: 1/M}}}}\npresets: {default: {until: 4 s}}\n",
     "x", 0.17926835425, 1e-7},
    {"a mode in which a kink does not slide begins while it slides",
     "parameters: {T: 1 s}\nstates: {x: {unit: 1, start: 1}, y: {unit: 1, start: 0}}\nmodes:\n"
     "  a: {flow: {x: -2*sign(x)/T, y: 1/T}, until: {go: {rises: y - 1, then: {mode: b}}}}\n"
     "  b: {flow: {x: \"(1 - 0.5*max(x, 0))/T\", y: 0/T}}\npresets: {default: {until: 3 s}}\n",
     "x", 1.2642411176571153, 1e-8},
    {"three states that follow each other by sides that are no line in the sign",
     "states: {x: {unit: 1, start: 0.45}, y: {unit: 1, start: 0.2}, z: {unit: 1, start: -0.05}}\n"
     "parameters: {T: 1 s}\n"
     "flow: {x: \"(-0.85*x - 1 - 1.9*sin(2*t/T) + 1.9*where(y - x <= 0, -0.2, sign(y - x)))/T\",\n"
     "  y: \"(-0.85*y - 2 - 1.9*sin(2*t/T) + 1.9*where(z - y <= 0, -0.2, sign(z - y)))/T\",\n"
     "  z: \"(-0.85*z - 3 - 1.9*sin(2*t/T) + 1.9*where(-z <= 0, -0.2, sign(-z)))/T\"}\npresets: {default: {until: 3 s}}\n",
     "x", -0.391640238923, 1e-8},
    {"step in a condition",
     "parameters: {a: 1 m/s^2}\nstates: {x: {unit: m, start: 1 m}, v: m/s}\n"
     "flow: {x: -1 m/s, v: \"where(step(x) > 1/2, 0, a)\"}\npresets: {default: {until: 2 s}}\n",
     "v", 1, 1e-8},
    {"a force that jumps lifts a body off its stop",
     REST "flow: {x: v, v: \"where(t > (1 s), (30 m/s^2), 0) - (10 m/s^2)\"}\n" TABLE
          "presets: {default: {until: 2 s}}\n",
     "x", 10, 1e-6},
    {"a mode that lifts a body off its stop",
     REST TABLE "modes:\n  down: {flow: {x: v, v: -10 m/s^2}}\n  up: {flow: {x: v, v: 20 m/s^2}}\n"
                "times: {magnet: {at: 1 s, then: {mode: up}}}\npresets: {default: {until: 2 s}}\n",
     "x", 10, 1e-6},
    {"a force that jumps breaks static friction",
     REST "flow: {x: v, v: \"where(t > (1 s), (30 m/s^2), 0)\"}\n"
          "elements: {f: {friction: {slip: v, normal: 10 N, kinetic: 0.5, pushes: {v: 1/(1 kg)}}}}\n"
          "presets: {default: {until: 2 s}}\n",
     "v", 25, 1e-7},
    {"a stop on a load whose position moves with r times a velocity: it bounces as one of x'' = -r alpha",
     "parameters: {r: 0.5 m, alpha: 2 1/s^2}\nstates: {x: {unit: m, start: 1 m}, w: 1/s}\n"
     "flow: {x: r*w, w: -alpha}\nelements: {floor: {stop: {gap: x, restitution: 0.5}}}\n"
     "presets: {default: {until: 2 s}}\n",
     "x", 0.24264068711928515, 1e-7},
    {"a clock that runs while a ball is off its table: sqrt(0.2) s (1 + 2 e/(1 - e))",
     "states: {x: {unit: m, start: 1 m}, v: m/s, y: s}\nflow: {x: v, v: -10 m/s^2, y: \"where(x > 0, 1, 0)\"}\n" TABLE
     "presets: {default: {until: 5 s}}\n",
     "y", 1.34164078649987, 1e-6},
    {"a body is moved off its stop",
     REST "flow: {x: v, v: -10 m/s^2}\n" TABLE
          "times: {lift: {at: 1 s, then: {x: 1 m}}}\npresets: {default: {until: 1.2 s}}\n",
     "x", 0.8, 1e-7},
    {"a body that is struck against its stop bounces",
     REST "flow: {x: v, v: -10 m/s^2}\n" TABLE
          "times: {strike: {at: 1 s, then: {v: -1 m/s}}}\npresets: {default: {until: 1.05 s}}\n",
     "x", 0.0125, 1e-7},
    {"a switch that is jumped past, and one that hangs on it",
     "states: {x: m, y: m}\nflow: {x: 1 m/s, y: b*(1 m/s)}\n"
     "elements: {b: {switch: {input: a, on: 0.5}}, a: {switch: {input: x, on: 2 m}}}\n"
     "times: {push: {at: 1 s, then: {x: 3 m}}}\npresets: {default: {until: 2 s}}\n",
     "y", 1, 1e-8},
    {"an event of another gear",
     "states: {x: {unit: m, start: 1 m}, v: m/s}\ndiscrete: {gear: {values: [1, 2], start: 1}}\n"
     "flow: {x: -1 m/s, v: 0 m/s^2}\n"
     "until: {hit: {falls: x, if: gear = 2, then: {v: v + (1 m/s)}}}\npresets: {default: {until: 3 s}}\n",
     "v", 0, 1e-12},
    {"a condition with a bound whose argument turns where no event is, and a state that stays at zero",
     "states: {x: {unit: 1, start: -1}, z: 1}\nmodes:\n"
     "  a: {flow: {x: 1/(1 s), z: -z/(1 s)}, until: {on: {rises: x - 0.7, if: \"abs(x) < 0.8 and z <= 0\", then: {mode: b}}}}\n"
     "  b: {flow: {x: 2/(1 s), z: 0 Hz}}\npresets: {default: {until: 2 s}}\n",
     "x", 1.3, 1e-8},
    {"a chain that slides on three kinks, which all let it go at one instant: as by four solvers",
     "parameters: {N: 3}\nstates: {for i in 1..N: {\"x[i]\": {unit: 1, start: 0.45*i + 0.3}}}\n"
     "definitions: {for i in 1..N: {\"d[i]\": \"where(i = N, 0, x[i+1]) - x[i]\"}}\n"
     "flow: {for i in 1..N: {\"x[i]\": \"(0.65*d[i] + 1.1*sin(3.4*t/(1 s)) - 0.6*where(1.3 <= abs(d[i]), 1.3, -2))/(1 s)\"}}\n"
     "presets: {default: {until: 4 s}}\n",
     "x1", 3.835240748, 1e-7},
    {"a branch that is not taken divides by zero",
     "states: {x: {unit: m, start: 1 m}, v: m/s}\ndiscrete: {gear: {values: [0, 2], start: 0}}\n"
     "flow: {x: -1 m/s, v: 0 m/s^2}\n"
     "until: {hit: {falls: x, then: [{if: gear > 0, v: v/gear}, {v: 7 m/s, gear: 2}]}}\n"
     "presets: {default: {until: 3 s}}\n",
     "v", 7, 1e-12},
    {"a contact pushes by the mass matrix: it bounces by the restitution of its law, exp(-pi D/sqrt(1 - D^2))",
     "parameters: {m: 1 kg, c: 40 N s/m}\nstates: {x: {unit: m, start: 0.1 m}, v: {unit: m/s, start: -1 m/s}}\nflow: {x: v}\n"
     "mass: {of: [v], matrix: [[m]], force: [0 N]}\n"
     "elements: {soil: {contact: {indentation: -x, law: kelvin-voigt, with: {k: 1e4 N/m, c: c}, condition: A}}}\n"
     "presets: {default: {until: 1 s}}\n",
     "v", 0.526620599, 1e-7},
    {"sqrt(x^2) where x turns",
     "states: {x: {unit: 1, start: 1}, y: 1}\nflow: {x: -1/(1 s), y: sqrt(x^2)/(1 s)}\npresets: {default: {until: 2 s}}\n",
     "y", 1, 1e-6},
    {"a mode with a definition of its own, on which one of the case's depends",
     "definitions: {D: 2*F, F: 1 m/s}\nstates: {x: m}\nmodes:\n"
     "  a: {flow: {x: D}, until: {on: {rises: x - (1 m), then: {mode: b}}}}\n"
     "  b: {definitions: {F: 2 m/s}, flow: {x: D}, until: {on: {rises: x - (2 m), then: {mode: c}}}}\n"
     "  c: {flow: {x: D}}\npresets: {default: {until: 1 s}}\n",
     "x", 2.5, 1e-9},
    {"a root in a guard",
     "states: {x: {unit: 1, start: -0.5}}\nflow: {x: 1/(1 s)}\n"
     "until: {out: {rises: \"sqrt(x + 0.6) - 1\", ends: true}}\npresets: {default: {until: 3 s}}\n",
     "x", 0.4, 1e-8},
    {"a guard with a narrow peak",
     "states: {x: {unit: 1, start: -0.5}}\nflow: {x: 1/(1 s)}\n"
     "until: {out: {rises: \"1 - 1/(x^2 + 0.01)\", ends: true}}\npresets: {default: {until: 3 s}}\n",
     "x", 0.99498743710662, 1e-8},
    {"a ball comes to rest on a table that moves slowly",
     "states: {y: {unit: m, start: 0.01 m}, v: m/s}\nflow: {y: v, v: -9.81 m/s^2}\n"
     "elements: {table: {stop: {gap: y - (0.001 m)*sin(t/(1 s)), restitution: 0.3}}}\npresets: {default: {until: 5 s}}\n",
     "y", -0.00095892427466, 1e-7},
    {"a ball chatters on a table that shakes",
     "states: {y: {unit: m, start: 0.02 m}, v: m/s}\nflow: {y: v, v: -9.81 m/s^2}\n"
     "elements: {table: {stop: {gap: y - (0.005 m)*sin(50.265*t/(1 s)), restitution: 0.5}}}\npresets: {default: {until: 2.5 s}}\n",
     "y", -6.0307165e-6, 1e-7},
    {"a rest outlasts an event that has nothing to do with it",
     "states: {phi: rad, y: {unit: m, start: 0.01 m}, v: m/s}\nflow: {phi: 1/(1 s), y: v, v: -9.81 m/s^2}\n"
     "elements: {table: {stop: {gap: y - (0.001 m)*(1 - cos(phi))^2, restitution: 0.3, pushes: {v: 1/(1 kg)}}}}\n"
     "until: {turn: {rises: phi - 2*pi, then: {phi: 0}}}\npresets: {default: {until: 8 s}}\n",
     "y", 0.00131217033, 1e-6},
    {"of two stops of a body one holds it until the force turns: x = t^4/12 - t^2/2 + 2t/3 - 1/4",
     "states: {s: 1, x: m, v: m/s}\nflow: {s: 1/(1 s), x: v, v: (s^2 - 1)*(1 m/s^2)}\n"
     "elements: {near: {stop: {gap: x, restitution: 0.5}}, far: {stop: {gap: (9 m) - x, restitution: 0.5}}}\n"
     "presets: {default: {until: 2 s}}\n",
     "x", 5.0 / 12, 1e-7},
    {"a hammer comes to rest on its pile: all of the relative motion's energy is lost, the rest by friction",
     "parameters: {M: 500 kg, m: 200 kg, g: 9.81 m/s^2, F: 8e4 N}\n"
     "states: {y: {unit: m, start: 1 m}, v: m/s, z: m, w: m/s}\nflow: {y: v, v: -g, z: w, w: -g}\n"
     "elements: {head: {stop: {gap: y - z, restitution: 0.3, pushes: {v: 1/M, w: -1/m}}},\n"
     "  soil: {friction: {slip: w, normal: F, kinetic: 1, pushes: {w: 1/m}}}}\npresets: {default: {until: 3 s}}\n",
     "y", -0.04790684682115, 1e-7},
    {"a bead that starts on a parabola stays on it: arc length, by the exact speed",
     "states: {x: {unit: m, start: 0.7 m}, y: {unit: m, start: 0.245 m}, u: {unit: m/s, start: 0.1 m/s}, v: {unit: m/s, start: 0.07 m/s}}\n"
     "flow: {x: u, y: v}\nmass: {of: [u, v], matrix: [[1 kg, 0 kg], [0 kg, 1 kg]], force: [0 N, 0 N]}\n"
     "elements: {track: {stop: {gap: y - x^2/(2 m), restitution: 0.5}}}\npresets: {default: {until: 2 s}}\n",
     "x", 0.8909466234351251, 1e-7},
    {"three balls in a row: the second strikes the first again, (1 - e)/2 of the speed each time",
     "parameters: {r: 0.01 m, e: 0.95}\n"
     "states: {x: m, u: {unit: m/s, start: 1 m/s}, y: {unit: m, start: 2*r}, v: m/s, z: {unit: m, start: 4*r}, w: m/s}\n"
     "flow: {x: u, y: v, z: w, u: 0 m/s^2, v: 0 m/s^2, w: 0 m/s^2}\n"
     "elements: {a: {stop: {gap: y - x - 2*r, restitution: e, pushes: {u: -1, v: 1}}},\n"
     "  b: {stop: {gap: z - y - 2*r, restitution: e, pushes: {v: -1, w: 1}}}}\npresets: {default: {until: 1 s}}\n",
     "u", 0.024390625, 1e-12},
    {"a box falls flat on two corners: three impacts in turn at one instant, of the impulses 1.5 w m/3.4 at closing speeds w",
     BOX("0.5", "0.2 m") "presets: {default: {until: 0.1 s}}\n", "v", 0.37505088540606, 1e-12},
    {"a flat box that loses most of its speed has infinitely many impacts at one instant",
     BOX("0.05", "0.05 m") "presets: {default: {until: 0.5 s}}\n", "v", 0, 1e-12},
    {"a flat box is stopped by two corners at once", BOX("0", "0.2 m") "presets: {default: {until: 0.5 s}}\n",
     "w", 0, 1e-12},
    {"two bodies that stick together strike a wall: each stops the other, infinitely often at one instant",
     "states: {x: {unit: m, start: 0.1 m}, u: m/s, y: {unit: m, start: 0.1 m}, v: {unit: m/s, start: -1 m/s}}\n"
     "flow: {x: u, u: 0 m/s^2, y: v, v: 0 m/s^2}\n"
     "elements: {a: {stop: {gap: x, pushes: {u: 0.9}}}, b: {stop: {gap: y - x, pushes: {v: 1, u: -0.9}}}}\n"
     "presets: {default: {until: 1 s}}\n",
     "v", 0, 1e-12},
    {"a body that rests on a wall is struck by another of twice its mass: e = 1, and is between the two three times",
     "states: {x: m, u: m/s, y: {unit: m, start: 0.1 m}, v: {unit: m/s, start: -1 m/s}}\n"
     "flow: {x: u, u: 0 m/s^2, y: v, v: 0 m/s^2}\n"
     "elements: {a: {stop: {gap: x, restitution: 1, pushes: {u: 2}}},\n"
     "  b: {stop: {gap: y - x, restitution: 1, pushes: {v: 1, u: -2}}}}\npresets: {default: {until: 0.2 s}}\n",
     "v", 23.0 / 27, 1e-12},
    {"a plate rocks on two of three feet, and topples: as by four solvers",
     "parameters: {e: 0.3}\nstates: {y: {unit: m, start: 0.15 m}, p: rad, q: rad, v: m/s, wp: 1/s, wq: 1/s}\n"
     "flow: {y: v, p: wp, q: wq}\n"
     "mass: {of: [v, wp, wq], matrix: [[1 kg, 0, 0], [0, 0.0231 kg m^2, 0], [0, 0, 0.0052 kg m^2]], force: [-9.81 N, 0, 0]}\n"
     "elements:\n  a: {stop: {gap: y - (0.25 m)*p - (0.039 m)*q, restitution: e}}\n"
     "  b: {stop: {gap: y - (0.201 m)*p - (0.038 m)*q, restitution: e}}\n"
     "  c: {stop: {gap: y + (0.137 m)*p - (0.177 m)*q, restitution: e}}\npresets: {default: {until: 1.5 s}}\n",
     "y", -6.776833202867, 1e-9},
    {"a body lifts off where its acceleration passes through zero",
     "parameters: {a: 7 m/s^2, s: 3 m/s^2, T: 0.4 s}\nstates: {x: m, v: m/s}\nmodes:\n"
     "  rest: {flow: {x: 0, v: 0}, until: {lifts: {rises: \"a*sin(pi*t/T) - s\", then: {mode: up}}}}\n"
     "  up: {flow: {x: v, v: a*sin(pi*t/T) - s}, until: {lands: {falls: x, then: {mode: rest, x: 0, v: 0}}}}\n"
     "presets: {default: {until: 0.6 s}}\n",
     "x", 0.15660018345813, 1e-7},
    {"a slider between walls that move by more than a contact lasts: as by dop853 and taylor at 1e-12",
     "parameters: {m: 0.3 kg, cl: 0.5 mm, a: 5 mm, Om: 20pi rad/s, K: 1e9 N/m^1.5}\n"
     "definitions: {s: a*sin(Om*t)}\nstates: {x: m, v: m/s}\nflow: {x: v, v: 0 m/s^2}\nelements:\n"
     "  right: {contact: {indentation: x - s - cl, law: hertz, pushes: {v: -1/m}}}\n"
     "  left: {contact: {indentation: s - cl - x, law: hertz, pushes: {v: 1/m}}}\n"
     "  floor: {friction: {slip: v - a*Om*cos(Om*t), normal: m*(9.81 m/s^2), kinetic: 0.1, pushes: {v: 1/m}}}\n"
     "presets: {default: {until: 0.2 s}}\n",
     "v", 0.19723807, 1e-5},
    {"five balls in a row that touch, by the law of Hertz: as by three solvers at 1e-12",
     "parameters: {N: 5, K: 1e9 N/m^1.5, m: 0.03 kg, r: 0.01 m}\n"
     "states: {for i in 1..N: {\"x[i]\": {unit: m, start: 2*r*i}, \"v[i]\": {unit: m/s, start: \"where(i = 1, (1 m/s), 0)\"}}}\n"
     "flow: {for i in 1..N: {\"x[i]\": \"v[i]\", \"v[i]\": 0 m/s^2}}\n"
     "elements: {for i in 1..N-1: {\"c[i]\": {contact: {indentation: \"x[i] - x[i+1] + 2*r\", law: hertz, with: {K: K},\n"
     "  pushes: {\"v[i]\": -1/m, \"v[i+1]\": 1/m}}}}}\npresets: {default: {until: 5 ms}}\n",
     "v5", 0.98877742, 1e-7},
    {"dry friction by a choice between sides, on a belt: the mass is carried along",
     "parameters: {m: 1 kg, k: 10 N/m, F: 0.8 N, u: 0.02 m/s}\n"
     "states: {x: m, v: m/s}\nflow: {x: v, v: \"(-k*x + where(v - u > 0, -F, F))/m\"}\npresets: {default: {until: 3 s}}\n",
     "x", 0.0597498695468, 1e-7},
    {"impacts in two modes that take turns accumulate: y is the time at rest, 10 - sqrt(0.2) (1 + 2 r/(1 - r))",
     "parameters: {g: 10 m/s^2, r: 0.8}\nstates: {x: {unit: m, start: 1 m}, v: m/s, y: s}\nmodes:\n"
     "  right: {flow: {x: v, v: -g, y: 0}, until: {hit_l: {falls: x, then: {mode: left, x: 0, v: r*v}, "
     "accumulates: {mode: rest, x: 0, v: 0}}}}\n"
     "  left: {flow: {x: v, v: g, y: 0}, until: {hit_r: {rises: x, then: {mode: right, x: 0, v: r*v}, "
     "accumulates: {mode: rest, x: 0, v: 0}}}}\n"
     "  rest: {flow: {x: 0, v: 0, y: 1}}\npresets: {default: {until: 10 s}}\n",
     "y", 5.97507764050, 1e-6},
    /* without a closed form: what dop853 and taylor agree on to 3e-13, at rtol 1e-13 */
    {"the first of three balls in a row strikes the others, which touch",
     "parameters: {m: 1 kg}\n"
     "states: {x1: {unit: m, start: -0.5 m}, v1: {unit: m/s, start: 1 m/s}, x2: m, v2: m/s, x3: m, v3: m/s}\n"
     "flow: {x1: v1, v1: 0 m/s^2, x2: v2, v2: 0 m/s^2, x3: v3, v3: 0 m/s^2}\n"
     "elements:\n"
     "  a: {contact: {indentation: x1 - x2, law: hertz, with: {K: 1e4 N/m^1.5, n: 1.5}, pushes: {v1: -1/m, v2: 1/m}}}\n"
     "  b: {contact: {indentation: x2 - x3, law: hertz, with: {K: 1e4 N/m^1.5, n: 1.5}, pushes: {v2: -1/m, v3: 1/m}}}\n"
     "presets: {default: {until: 2 s}}\n",
     "v3", 0.99454931458, 1e-7},
    {"a power within max(..., 0): an elastic impact",
     "states: {x: {unit: m, start: 0.1 m}, v: {unit: m/s, start: -1 m/s}}\n"
     "flow: {x: v, v: \"1e4*max(-x/(1 m), 0)^1.5*(1 m/s^2)\"}\npresets: {default: {until: 1 s}}\n",
     "v", 1, 1e-7},
    {"a power on one side of a condition",
     "states: {x: {unit: m, start: 0.1 m}, v: {unit: m/s, start: -1 m/s}}\n"
     "flow: {x: v, v: \"where(x < 0, 1e4*(-x/(1 m))^1.5*(1 m/s^2), 0)\"}\npresets: {default: {until: 1 s}}\n",
     "v", 1, 1e-7},
    {"a power in a mode that ends with it",
     "states: {x: {unit: m, start: 0.1 m}, v: {unit: m/s, start: -1 m/s}}\n"
     "modes:\n  free: {flow: {x: v, v: 0 m/s^2}, until: {touch: {falls: x, then: {mode: contact}}}}\n"
     "  contact:\n    flow: {x: v, v: 1e4*(-x/(1 m))^1.5*(1 m/s^2)}\n    until: {leave: {rises: x, then: {mode: free}}}\n"
     "presets: {default: {until: 1 s}}\n",
     "v", 1, 1e-7},
    {"a delayed force that time events switch",
     "states: {x: m, v: m/s}\ndiscrete: {u: {unit: N, values: [0, 5], start: 0}}\nparameters: {m: 1 kg}\n"
     "elements: {late: {delay: {input: u, time: 0.3 s}}}\nflow: {x: v, v: late/m}\n"
     "times: {on: {at: 1 s, then: {u: 5 N}}, off: {at: 1.5 s, then: {u: 0 N}}}\npresets: {default: {until: 3 s}}\n",
     "x", 3.625, 1e-8},
    {"a contact on an angle: half a turn of an oscillator",
     "parameters: {J: 2 kg m^2, k: 18 N m/rad}\nstates: {p: {unit: rad, start: -1 rad}, u: {unit: rad/s, start: 1 rad/s}}\n"
     "flow: {p: u, u: 0 rad/s^2}\nelements: {teeth: {contact: {indentation: p, with: {k: k, c: 0 N m s/rad}, "
     "pushes: {u: -1/J}}}}\npresets: {default: {until: 3.0471975511965976 s}}\n",
     "p", -1, 1e-8},
};

/* Contacts that take the default number of steps. */
static const answer short_contacts[] = {
    {"a time event comes first, and what it turns back does not fire", KICK("-1 m/s", "v: v + (3 m/s)"), "x", 2,
     1e-9},
    {"the law of Hertz with damping, clipped", HERTZ("max(0, 1e8*max(-X, 0)^1.5*(1 - 0.3*V))"), "x",
     0.005071520208858, 1e-8},
    {"the same by a condition, with more damping: the last touch begins where the one before has ended",
     HERTZ("where(X < 0, max(0, 1e8*(-X)^1.5*(1 - 0.4*V)), 0)"), "x", 0.0035013497, 1e-8},
    {"the law of Hertz with a dashpot that does not pull",
     HERTZ("max(0, where(X < 0, 1e8*(-X)^1.5 - 30*V, 0))"), "x", 0.0176588844088996, 3e-8},
    {"the same by two conditions", HERTZ("where(1e8*abs(X)^1.5 > 30*V and X < 0, 1e8*abs(X)^1.5 - 30*V, 0)"),
     "x", 0.0176588844088996, 3e-8},
};

#define BLOCK(x0, v0, flow)                                                                                    \
    "states: {x: {unit: m, start: " x0 "}, v: {unit: m/s, start: " v0 "}}\nflow: {x: v, v: " flow "}\n"
#define RAIL(limit) "  rail: {friction: {slip: v, normal: " limit ", kinetic: 1, pushes: {v: 1/(1 kg)}}}\n"
#define UNTIL(t) "presets: {default: {until: " t "}}\n"

/*
 * Stops and frictions on one velocity. Right values are closed forms.
 */
static const answer meeting[] = {
    {"a body that nothing presses stays at its stop while another one moves",
     "states: {x: m, v: {unit: m/s, start: 1 m/s}, y: m, w: m/s}\n"
     "flow: {x: v, v: -v/(5 s), y: w, w: 1 m/s^2}\nelements: {wall: {stop: {gap: 0.6*(1 m) - x}}}\n" UNTIL(
         "2 s"),
     "x", 0.6, 1e-6},
    {"a kink at the place of a stop that turns the body back",
     "parameters: {a: 1 m/s^2}\nstates: {x: m, v: {unit: m/s, start: 1 m/s}}\n"
     "flow: {x: v, v: -a*sign(x/(1 m))}\nelements: {wall: {stop: {gap: x, restitution: 1}}}\n" UNTIL("2.5 s"),
     "x", 0.375, 1e-8},
    {"a force that turns with the velocity holds a block on a belt",
     BLOCK(
         "0 m", "0 m/s",
         "\"where(v > 0, -1, 1)*(1 m/s^2)\"") "elements:\n"
                                              "  rail: {friction: {slip: v + (0.5 m/s), normal: 0.6 N, kinetic: 1, pushes: {v: 1/(1 kg)}}}\n" UNTIL(
                                                  "2 s"),
     "v", 0, 1e-9},
    {"a start of decimals on a stop",
     "states: {x: {unit: m, start: 0.57 m}, v: m/s}\nflow: {x: v, v: -1 m/s^2}\n"
     "elements: {wall: {stop: {gap: x - 0.3*(1 m) - (0.27 m), restitution: 0.5}}}\n" UNTIL("1 s"),
     "x", 0.57, 1e-9},
    {"a body at rest that its weight sinks into a contact",
     "parameters: {m: 1 kg}\nstates: {x: m, v: m/s}\nflow: {x: v, v: -1 m/s^2}\n"
     "elements: {floor: {contact: {indentation: -x, law: kelvin-voigt, condition: A,\n"
     "  with: {k: 1 N/m, c: 0 N s/m}, pushes: {v: 1/m}}}}\n" UNTIL("1 s"),
     "x", -0.459697694132, 1e-6},
    {"a cart runs into a cart on a relaxed spring",
     "parameters: {k: 100 N/m, m: 1 kg}\n"
     "states: {x1: m, v1: m/s, x2: {unit: m, start: 0.5 m}, v2: {unit: m/s, start: -1 m/s}}\n"
     "flow: {x1: v1, v1: -k*x1/m, x2: v2, v2: 0 m/s^2}\n"
     "elements: {pair: {stop: {gap: x2 - x1, pushes: {v1: -1/m, v2: 1/m}}}}\n" UNTIL("2 s"),
     "x2", 0.527855853092, 1e-6},
    {"a stop pushes a body through its friction, which is a kink",
     PAIR_OF("1 m/s", "-sign(v)*(0.5 m/s^2)", "-(2 m/s^2)") UNTIL("2 s"), "x", -0.14, 1e-8},
    {"friction, which is a kink, holds what presses on its body until it lets go",
     PAIR_OF("0 m/s", "-sign(v)*(1 m/s^2)", "-(1 m/s^3)*t") UNTIL("3 s"), "x", -2.0 / 3, 1e-8},
    {"friction holds a block at rest against a stop",
     "parameters: {m: 0.1 kg, P: 0.7 N, R: 1 N}\nstates: {x: m, v: m/s}\nflow: {x: v, v: P/m}\n"
     "elements: {stop: {stop: {gap: x, restitution: 0.5}},\n"
     "  rail: {friction: {slip: v, normal: R, kinetic: 1, pushes: {v: 1/m}}}}\n" UNTIL("1 s"),
     "x", 0, 1e-12},
    {"a block slips off its stop",
     BLOCK("0 m", "0 m/s", "(1 m/s^2) + (1 m/s^3)*t") "elements:\n  wall: {stop: {gap: x}}\n" RAIL("2 N")
         UNTIL("3 s"),
     "x", 4.0 / 3, 1e-6},
    {"static friction holds a block longer than kinetic friction",
     BLOCK(
         "0 m", "0 m/s",
         "(1 m/s^3)*t") "elements:\n  wall: {stop: {gap: x}}\n"
                        "  rail: {friction: {slip: v, normal: 1 N, static: 2, kinetic: 1, pushes: {v: 1/(1 kg)}}}\n" UNTIL(
                            "3 s"),
     "x", 2.0 / 3, 1e-6},
    {"friction holds a block that has hit its stop",
     BLOCK("0.1 m", "-3 m/s", "1 m/s^2") "elements:\n  wall: {stop: {gap: x}}\n" RAIL("2 N") UNTIL("3 s"), "x",
     0, 1e-6},
    {"a force that grows from zero presses a block on its stop",
     BLOCK("0 m", "0 m/s", "-(1 m/s^3)*t") "elements: {wall: {stop: {gap: x}}}\n" UNTIL("2 s"), "x", 0, 1e-9},
    {"a stop lets go of a block that friction holds until the force has turned",
     BLOCK("0.35 m", "0 m/s",
           "(2.7236842105263157 m/s^2)*cos((1.89 rad/s)*t)") "elements:\n"
                                                             "  right: {stop: {gap: (0.57 m) - x}}\n" RAIL(
                                                                 "0.26973684210526316 N") UNTIL("1.5 s"),
     "x", 0.388725991972119, 1e-6},
    {"two frictions and a stop",
     BLOCK("0 m", "0 m/s", "(1 m/s^3)*t") "elements:\n  wall: {stop: {gap: x}}\n" RAIL(
         "1 N") "  belt: {friction: {slip: v - (9 m/s), normal: 0.5 N, kinetic: 1, pushes: {v: 1/(1 kg)}}}\n" UNTIL("2.5 s"),
     "x", 4.0 / 3, 1e-6},
    {"a table that shakes by metres, whose force on a body depends on time alone",
     "states: {x: m, v: {unit: m/s, start: 10 m/s}}\nparameters: {w: 2 rad/s}\nflow: {x: v, v: -10 m/s^2}\n"
     "elements: {table: {stop: {gap: x - (5 m)*sin(w*t)}}}\n" UNTIL("1 s"),
     "x", 6.16830411328306, 1e-6},
    {"static friction of a block that may hit twelve stops",
     BLOCK(
         "0.5 m", "0 m/s",
         "-3 m/s^2") "elements:\n  for i in 0..11: {\"s[i]\": {stop: {gap: x + i*(1 m)}}}\n"
                     "  rail: {friction: {slip: v, normal: 1 N, static: 2, kinetic: 1, pushes: {v: 1/(1 kg)}}}\n" UNTIL(
                         "1 s"),
     "x", 0, 1e-6},
    {"a body sticks where its slip ends, since the friction on the body that rides on it breaks",
     "states: {x: {unit: m}, v: {unit: m/s, start: 1 m/s}, y: m, w: {unit: m/s, start: 1 m/s}}\n"
     "flow: {x: v, v: 0 m/s^2, y: w, w: -3 m/s^2}\nelements:\n"
     "  floor: {friction: {slip: v, normal: 1 N, static: 2, kinetic: 1, pushes: {v: 1/(1 kg)}}}\n"
     "  rider: {friction: {slip: w - v, normal: 1.2 N, kinetic: 1, pushes: {v: -1/(1 kg), w: 1/(1 kg)}}}\n" UNTIL(
         "1.5 s"),
     "x", 0.25, 1e-8},
    {"the belt of a body at its stop passes it, which opens the stop and sticks",
     "states: {x: {unit: m, start: 0.25 m}, v: m/s, y: m, w: m/s}\n"
     "flow: {x: v, v: -(8/(1 s^2))*x - v/(5 s), y: w, w: 0 m/s^2}\n"
     "elements: {wall: {stop: {gap: -y}}, top: {stop: {gap: (0.35 m) - x}},\n"
     "  belt: {friction: {slip: w - v - (0.7 m/s), normal: 1 N, kinetic: 0.35, pushes: {v: -1/(1 kg), w: 1/(0.3 kg)}}}}\n" UNTIL(
         "0.7 s"),
     "y", -0.00220529467093629, 1e-8},
};

/* No certificate decides a time that is exact by chance, nor yet guards that vanish together. */
static const answer ties[] = {
    {"a force that grows from zero pulls a block off the stop that it hits at that time",
     BLOCK("2 m", "-1 m/s", "(3 m/s^3)*(t - (1 s))") "elements: {wall: {stop: {gap: x}}}\n" UNTIL("3 s"), "x",
     4, 1e-6},
    {"two carts that slide together stop together, and are held together",
     "states: {x1: m, v1: {unit: m/s, start: 2 m/s}, x2: {unit: m, start: 0.5 m}, v2: m/s}\n"
     "flow: {x1: v1, v1: 0 m/s^2, x2: v2, v2: -(0.6 m/s^3)*t}\n"
     "elements:\n  f1: {friction: {slip: v1, normal: 1 N, kinetic: 1, pushes: {v1: 1/(1 kg)}}}\n"
     "  f2: {friction: {slip: v2, normal: 1 N, kinetic: 1, pushes: {v2: 1/(1 kg)}}}\n"
     "  pair: {stop: {gap: x2 - x1, pushes: {v1: -1/(1 kg), v2: 1/(1 kg)}}}\n" UNTIL("4 s"),
     "x1", 0.810066943843, 1e-6},
    {"friction holds a body where the forces of both sides lead away: which side its clock takes is not what is written",
     "states: {x: m, v: m/s, y: s}\nflow: {x: v, v: \"where(x > 0, 1, -1)*(1 m/s^2)\", y: \"where(x > 0, 1, 0)\"}\n"
     "elements:\n" RAIL("2 N") UNTIL("2 s"),
     "x", 0, 1e-12}};

/* `steps`: number of fixed steps; 0: of the default size. */
static double end_of(const answer *a, const ic_solver *solver, int steps)
{
    double value = NAN;
    IC_OWN(ic_machine) m = ic_tests_open(a->text, NULL);
    IC_OWN(ic_log) *log = ic_log_new(&m.setup.problem);
    const bool is_fixed = solver->control == IC_CONTROL_STEP && steps > 0;
    const double step = is_fixed ? (m.setup.problem.t_end - m.setup.problem.t_start) / (double)steps : 0;
    const ic_status status = ic_run(log, solver, &(ic_options){.rtol = 0, .step = step});
    const bool other = status == IC_UNSUPPORTED && solver->needs == IC_NEEDS_LINEAR_VIEW;
    CU_ASSERT(status == IC_OK || other);
    const ic_sample end = ic_log_end(log);
    for (size_t i = 0; i < m.setup.problem.system->n_states; i++) {
        if (strcmp(m.setup.problem.system->states[i].name, a->state) == 0) value = other ? a->value : end.x[i];
    }
    return value;
}

/* The certificate contains the value, and a value that is off by ten times the tolerance is not in it. */
static void expect_certified(const answer *a, ic_status status)
{
    IC_OWN(ic_certificate) c;
    IC_BALLS(wanted);
    IC_OWN(ic_machine) m = ic_tests_open(a->text, NULL);
    m.exact = ic_tests_exact(&m.setup);
    ic_certify_judged(&c, &m.exact.problem, &(ic_certify_options){.digits = 12}, NULL);
    IC_EXPECT(c.status == status, "%s: %s", a->what, c.reason);
    for (size_t i = 0; i < m.setup.problem.system->n_states && c.status == IC_OK; i++) {
        if (strcmp(m.setup.problem.system->states[i].name, a->state) != 0) continue;
        arb_set_d(wanted, a->value);
        mag_set_d(arb_radref(wanted), a->tolerance);
        CU_ASSERT(arb_overlaps(c.x + i, wanted));
        arf_set_d(arb_midref(wanted), a->value + 10 * a->tolerance);
        CU_ASSERT_FALSE(arb_overlaps(c.x + i, wanted)); /* planted */
    }
}

static void expect_meeting(const answer *a, ic_status status)
{
    static const char *const solvers[] = {"rk4_henon", "rk45_bisection",   "dop853",
                                          "taylor",    "piecewise_linear", "refined_step"};
    for (size_t s = 0; s < IC_COUNT(solvers); s++) {
        const double value = end_of(a, ic_solver_find(solvers[s]), FIXED_STEPS);
        /* refined_step is of order 1. */
        const double tolerance = strcmp(solvers[s], "refined_step") == 0 ? 1e-4 : a->tolerance;
        IC_EXPECT(fabs(value - a->value) <= tolerance, "%s, %s: %s = %.12g instead of %.12g", a->what,
                  solvers[s], a->state, value, a->value);
    }
    expect_certified(a, status);
}

IC_TEST(test_elements_that_meet)
{
    for (size_t i = 0; i < IC_COUNT(meeting); i++) expect_meeting(&meeting[i], IC_OK);
    for (size_t i = 0; i < IC_COUNT(ties); i++) expect_meeting(&ties[i], IC_UNDECIDED);
}

static void expect_end(const char *text, const char *solver, ic_status status, const char *message)
{
    IC_OWN(ic_machine) m = ic_tests_open(text, NULL);
    m.log = ic_log_new(&m.setup.problem);
    CU_ASSERT_EQUAL(ic_run(m.log, ic_solver_find(solver), &(ic_options){.rtol = 0}), status);
    CU_ASSERT_PTR_NOT_NULL(strstr(ic_log_text(m.log), message));
}

/* A start at a zero where only the third rates of both sides push back; a kink from which both sides begin to lead away. */
IC_TEST(test_passed_guard_is_named)
{
    expect_end(
        "states: {x: m, v: m/s, a: m/s^2}\nflow: {x: v, v: a, a: -(1.4 m/s^3)*sign(x)}\npresets: {default: {until: 3 s}}\n",
        "dop853", IC_ROOT_LOST, "guard 'x = 0' has passed zero unseen");
    expect_end("states: {x: {unit: m, start: 0.1 m}}\nparameters: {a: 2 m/s, T: 1 s}\n"
               "flow: {x: \"where(t < T, -a, a)*sign(x)\"}\npresets: {default: {until: 2 s}}\n",
               "taylor", IC_NOT_FINITE, "the motion is not determined: where x is 0, the flows of its sides");
    expect_end(KICK("0 m/s", "x: -1 m"), "dop853", IC_INVALID,
               "the jump of 'k' at t = 1 puts a body behind the stop 'w' by 1 m");
    expect_end(TWO_FREQUENCIES, "piecewise_linear", IC_UNSUPPORTED, "has no linear view");
}

/* The last flights from a stop are shorter than the steps. */
IC_TEST(test_short_flights_end)
{
    const answer rest = {
        .text = BLOCK("0.1 m", "0 m/s", "-(3 m/s^2)") "elements:\n"
                                                      "  wall: {stop: {gap: x, restitution: 0.5}}\n" RAIL("2 N")
                                                          UNTIL("0.64 s"),
        .state = "x"};
    CU_ASSERT_DOUBLE_EQUAL(end_of(&rest, ic_solver_find("refined_step"), 0), 0, LATE_REST);
}

static void expect_answer(const answer *a, int steps)
{
    static const char *const solvers[] = {"rk4_henon", "rk45_bisection", "dop853", "taylor"};
    for (size_t s = 0; s < IC_COUNT(solvers); s++) {
        const double value = end_of(a, ic_solver_find(solvers[s]), steps);
        IC_EXPECT(fabs(value - a->value) <= a->tolerance, "%s, %s: %s = %.12g instead of %.12g", a->what,
                  solvers[s], a->state, value, a->value);
        /* planted */
        CU_ASSERT_FALSE(fabs(value + 10 * a->tolerance - a->value) <= a->tolerance);
    }
}

IC_TEST(test_answers)
{
    for (size_t i = 0; i < IC_COUNT(answers); i++) expect_answer(&answers[i], FIXED_STEPS);
    for (size_t i = 0; i < IC_COUNT(short_contacts); i++) expect_answer(&short_contacts[i], 0);
}
