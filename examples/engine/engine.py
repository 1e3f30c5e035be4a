#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small engine for `impactcheck audit --engine ./engine.py --scenes ...`: balls on the ground and among each other.

It reads scenes from standard input and writes motions to standard output (docs/engines.md). Copy it for your own engine:
read a scene, give its bodies to your engine, and write a row for each moving body after each step.
"""
import math
import sys

SMALL_STEPS = 16  # to a row, at least
PART_OF_RADIUS = 0.2  # a ball moves less than this in a small step
SLOP = 1e-6  # overlap that is left, over the radius: bodies at rest stay in contact


def add(a, s, b):
    return [x + s * y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def turned(q, w, h):
    """The orientation after a turn by w h: q' = exp(w h / 2) q."""
    angle = math.sqrt(dot(w, w)) * h
    if angle == 0:
        return q
    s, c, v = math.sin(angle / 2) * h / angle, math.cos(angle / 2), q[1:]
    return [c * q[0] - s * dot(w, v)] + add(add([c * x for x in v], s * q[0], w), s, cross(w, v))


def read_scene():
    """The next scene; None: the input has ended."""
    scene, body, bodies = {"cannot": None}, None, []
    for line in sys.stdin:
        word, *rest = line.split()
        numbers = [float(x) for x in rest if x[0] in "+-.0123456789"]
        if word == "run":
            return scene, bodies
        elif word == "body":
            m = numbers or [math.inf] * 4
            body = {"name": rest[0], "mass": m[0], "inertia": m[1], "velocity": [0] * 3, "spin": [0] * 3, "radius": None}
            bodies.append(body)
            if not m[1] == m[2] == m[3]:
                scene["cannot"] = "moments of inertia that differ"
        elif word == "sphere":
            body["radius"] = numbers[0]
            if any(numbers[1:]):
                scene["cannot"] = "spheres off the centre of mass"
        elif word in ("at", "turned", "velocity", "spin"):
            body[word] = numbers
        elif word in ("box", "hinge"):
            scene["cannot"] = f"no {word}"
        elif word != "plane":
            scene[word] = numbers
    return None, None


def touch(a, b):
    """Normal from a to b, point of contact and overlap; a without a radius is a plane."""
    if a["radius"] is None:
        q = a["turned"]  # the plane's normal is the y axis of its frame
        n = [2 * (q[1] * q[2] - q[0] * q[3]), 1 - 2 * (q[1] ** 2 + q[3] ** 2), 2 * (q[2] * q[3] + q[0] * q[1])]
        overlap = b["radius"] - dot(n, add(b["at"], -1, a["at"]))
    else:
        d = add(b["at"], -1, a["at"])
        distance = math.sqrt(dot(d, d))
        n = [x / distance for x in d] if distance > 0 else [0, 1, 0]
        overlap = a["radius"] + b["radius"] - distance
    return n, add(b["at"], overlap / 2 - b["radius"], n), overlap


def push(body, impulse, sign, arm):
    body["velocity"] = add(body["velocity"], sign / body["mass"], impulse)
    body["spin"] = add(body["spin"], sign / body["inertia"], cross(arm, impulse))


def collide(a, b, scene, h):
    n, at, overlap = touch(a, b)
    if overlap < 0:
        return
    e, mu = scene["material"]
    arms = [add(at, -1, a["at"]), add(at, -1, b["at"])]
    speeds = [add(c["velocity"], 1, cross(c["spin"], arm)) for c, arm in zip((a, b), arms)]
    v = add(speeds[1], -1, speeds[0])
    mass = 1 / (1 / a["mass"] + 1 / b["mass"])
    normal = dot(v, n)
    # what gravity gave in this step does not bounce: a body at rest stays at rest
    moving = (b["mass"] < math.inf) - (a["mass"] < math.inf)
    before = normal - moving * h * dot(scene["gravity"], n)
    P = mass * max(0, -normal + e * max(0, -before))
    # friction stops the slip, or is mu P against it
    slip = add(v, -normal, n)
    speed = math.sqrt(dot(slip, slip))
    compliance = 1 / mass + sum(dot(r, r) / c["inertia"] for c, r in zip((a, b), arms) if c["inertia"] < math.inf)
    friction = min(mu * P, speed / compliance) / speed if speed > 0 else 0
    impulse = add([P * x for x in n], -friction, slip)
    # the overlap is removed without a velocity
    shift = mass * max(0, overlap - SLOP * b["radius"])
    for c, sign, arm in ((a, -1, arms[0]), (b, 1, arms[1])):
        if c["mass"] < math.inf:
            push(c, impulse, sign, arm)
            c["at"] = add(c["at"], sign * shift / c["mass"], n)


def small_step(bodies, pairs, scene, h):
    moving = [b for b in bodies if b["mass"] < math.inf]
    for b in moving:
        b["velocity"] = add(b["velocity"], h, scene["gravity"])
    for a, b in pairs:
        collide(a, b, scene, h)
    for b in moving:
        b["at"] = add(b["at"], h, b["velocity"])
        b["turned"] = turned(b["turned"], b["spin"], h)


def write_rows(t, bodies):
    for b in (b for b in bodies if b["mass"] < math.inf):
        print("row", repr(t), b["name"], *map(repr, b["at"] + b["turned"] + b["velocity"] + b["spin"]))


def play(scene, bodies):
    # planes first in their pairs; planes and fixed bodies do not collide with each other
    ordered = sorted(bodies, key=lambda b: b["radius"] is not None)
    pairs = [(a, b) for i, a in enumerate(ordered) for b in ordered[i + 1 :] if min(a["mass"], b["mass"]) < math.inf]
    (step,), (steps,) = scene["step"], scene["steps"]
    radius = min(b["radius"] for b in bodies if b["radius"] is not None)
    write_rows(0.0, bodies)
    for i in range(int(steps)):
        speed = max(math.sqrt(dot(b["velocity"], b["velocity"])) for b in bodies)
        n = max(SMALL_STEPS, math.ceil(speed * step / (PART_OF_RADIUS * radius)))
        for _ in range(n):
            small_step(bodies, pairs, scene, step / n)
        write_rows((i + 1) * step, bodies)


def main():
    while True:
        scene, bodies = read_scene()
        if scene is None:
            return
        print("engine small-balls-py 1")
        print(f"setting {SMALL_STEPS} small steps in a row at least")
        if scene["cannot"]:
            print("unsupported", scene["cannot"])
        else:
            play(scene, bodies)
        print("end", flush=True)


main()
