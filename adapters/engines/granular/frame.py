# SPDX-License-Identifier: MIT
"""
What granular codes play of a scene: spheres, and planes and boxes as walls. Walls of these codes
lie along the axes, so the whole scene is turned until they do.
"""
import math
from dataclasses import dataclass, replace

from protocol import Unsupported

STRAIGHT = 1e-12  # of a direction, off an axis
MOMENT = 1e-9  # relative difference of a sphere's moments from 2/5 m R^2


def multiply(p, q):
    a, b, c, d = p
    w, x, y, z = q
    return (a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w)


def conjugate(q):
    return (q[0], -q[1], -q[2], -q[3])


def rotate(q, vector):
    return multiply(multiply(q, (0.0, *vector)), conjugate(q))[1:]


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def axis_of(direction):
    """(axis, sign) of a direction along an axis, or None."""
    for axis in range(3):
        if abs(abs(direction[axis]) - 1) < STRAIGHT:
            return axis, math.copysign(1, direction[axis])
    return None


@dataclass
class Wall:
    axis: int
    sign: float  # the free side
    position: float


@dataclass
class Block:
    low: tuple
    high: tuple


@dataclass
class Ball:
    name: str
    radius: float
    at: tuple
    body: object  # of the scene, in the turned frame


@dataclass
class Arrangement:
    """A scene in the frame of the code."""

    scene: object
    turn: tuple  # from the frame of the ground to that of the code
    gravity: tuple
    moving: list
    frozen: list
    walls: list
    blocks: list

    def balls(self):
        return self.moving + self.frozen

    def state(self, at, orientation, velocity, spin):
        """13 numbers of a row, in the frame of the ground."""
        back = conjugate(self.turn)
        return (*rotate(back, at), *orientation, *rotate(back, velocity), *rotate(back, spin))


def needed_turn(scene):
    """The turn that brings a plane or box, if it is tilted, to the axes."""
    for body in scene.fixed():
        if body.shapes and body.shapes[0][0] != "sphere":
            return conjugate(body.turned)
    return (1.0, 0.0, 0.0, 0.0)


def wall_of(body):
    axis_sign = axis_of(rotate(body.turned, (0.0, 1.0, 0.0)))
    if axis_sign is None:
        raise Unsupported("walls that are not at right angles")
    return Wall(*axis_sign, body.at[axis_sign[0]])


def block_of(body, shape):
    _, *numbers = shape
    half = [0.0, 0.0, 0.0]
    for i in range(3):
        axis_sign = axis_of(rotate(body.turned, [float(i == j) for j in range(3)]))
        if axis_sign is None:
            raise Unsupported("fixed boxes that are not at right angles")
        half[axis_sign[0]] = numbers[i]
    centre = add(body.at, rotate(body.turned, numbers[3:]))
    return Block(tuple(c - h for c, h in zip(centre, half)), tuple(add(centre, half)))


def moving_ball(body, friction, any_moments):
    if len(body.shapes) != 1 or body.shapes[0][0] != "sphere":
        raise Unsupported("moving bodies other than a sphere")
    _, radius, *centre = body.shapes[0]
    if any(centre):
        raise Unsupported("spheres off the centre of mass")
    for moment in body.moments:
        of_sphere = 0.4 * body.mass * radius**2
        if friction > 0 and not any_moments and abs(moment - of_sphere) > MOMENT * of_sphere:
            raise Unsupported("moments of inertia other than 2/5 m R^2")
    return Ball(body.name, radius, body.at, body)


def arrange(scene, any_moments=False):
    if scene.variant:
        raise Unsupported(f"variant {scene.variant}")
    if scene.hinges:
        raise Unsupported("hinges")
    turn = needed_turn(scene)
    result = Arrangement(scene, turn, rotate(turn, scene.gravity), [], [], [], [])
    for body in scene.bodies:
        body = replace(body, at=rotate(turn, body.at), turned=multiply(turn, body.turned),
                       velocity=rotate(turn, body.velocity), spin=rotate(turn, body.spin))
        if body.mass is not None:
            result.moving.append(moving_ball(body, scene.friction, any_moments))
            continue
        for shape in body.shapes:
            if shape[0] == "plane":
                result.walls.append(wall_of(body))
            elif shape[0] == "box":
                result.blocks.append(block_of(body, shape))
            else:
                at = add(body.at, rotate(body.turned, shape[2:]))
                result.frozen.append(Ball(body.name, shape[1], at, body))
    if not result.moving:
        raise Unsupported("scenes without moving bodies")
    return result
