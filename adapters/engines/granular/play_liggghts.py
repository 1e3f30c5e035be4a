# SPDX-License-Identifier: MIT
"""
LIGGGHTS. default: model hertz, tangential history, as in its tutorials; Young's modulus is such
that overlaps are small. best: model hooke/stiffness with a spring and a damping for each pair.
"""
import math
import re

from contact import OVERLAP, contact_steps, effective_mass, rates, setting, sliding_rates
from frame import arrange
from lammps_files import Process, common_lines, data_file, run_lines
from protocol import Motion, serve

PER_CONTACT = {"default": 40, "best": 100}  # steps of LIGGGHTS
LEAST_RESTITUTION = 0.051  # and the least Young's modulus, Pa, that LIGGGHTS accepts
LEAST_MODULUS = 5e6
POISSON = 0.45


def matrix(name, values):
    """A property of each pair of types."""
    numbers = " ".join(repr(value) for row in values for value in row)
    return f"fix {name} all property/global {name} peratomtypepair {len(values)} {numbers}\n"


def by_type(name, value, types):
    return f"fix {name} all property/global {name} peratomtype {f'{value!r} ' * types}\n"


def by_pair(masses, value):
    """value(effective mass) of each pair; it does not matter between two fixed bodies."""
    return [[value(effective_mass(a, b) or 1.0) for b in masses] for a in masses]


class Hertz:
    model = "hertz tangential history"

    def __init__(self, arrangement, masses, duration):
        first = arrangement.moving[0]
        depth = OVERLAP * first.radius
        speed = depth * math.pi / duration
        stiffness = 15 * first.body.mass * speed**2 / (16 * math.sqrt(first.radius) * depth**2.5)
        modulus = max(stiffness * 2 * (1 - POISSON**2), LEAST_MODULUS)
        scene = arrangement.scene
        self.restitution = max(scene.restitution, LEAST_RESTITUTION)
        types = len(masses)
        self.properties = (
            by_type("youngsModulus", modulus, types) + by_type("poissonsRatio", POISSON, types)
            + matrix("coefficientRestitution", by_pair(masses, lambda _: self.restitution)))


class Stiffness:
    model = "hooke/stiffness tangential history"

    def __init__(self, arrangement, masses, duration):
        spring, damping = rates(arrangement.scene.restitution, duration)
        spring_along, damping_along = sliding_rates(duration)
        self.restitution = arrangement.scene.restitution
        self.properties = (
            matrix("kn", by_pair(masses, lambda mass: spring * mass))
            + matrix("kt", by_pair(masses, lambda mass: spring_along * mass))
            + matrix("gamman", by_pair(masses, lambda _: damping))
            + matrix("gammat", by_pair(masses, lambda _: damping_along)))


def surface(block):
    """The 12 triangles of a box, as STL."""
    def corner(i, j, k):
        return tuple(side[axis] for axis, side in
                     enumerate(((block.low, block.high)[bit] for bit in (i, j, k))))

    text = "solid box\n"
    for axis in range(3):
        for side in (0, 1):
            square = []
            for u, v in ((0, 0), (1, 0), (1, 1), (0, 1)):
                bits = [u, v]
                bits.insert(axis, side)
                square.append(corner(*bits))
            for triangle in (square[:3], [square[0], *square[2:]]):
                vertices = "".join(f"vertex {' '.join(map(repr, p))}\n" for p in triangle)
                text += f"facet normal 0 0 0\nouter loop\n{vertices}endloop\nendfacet\n"
    return text + "endsolid box\n"


def wall_fixes(arrangement, contact, kind):
    text = ""
    for number, wall in enumerate(arrangement.walls):
        text += (f"fix wall{number} all wall/gran model {contact.model} primitive type {kind} "
                 f"{'xyz'[wall.axis]}plane {wall.position!r}\n")
    for number in range(len(arrangement.blocks)):
        text += (f"fix block{number} all mesh/surface file block{number}.stl type {kind}\n"
                 f"fix side{number} all wall/gran model {contact.model} mesh n_meshes 1 "
                 f"meshes block{number}\n")
    return text


def input_file(arrangement, contact, masses, per_row):
    friction = arrangement.scene.friction
    return ("units si\natom_style sphere\natom_modify map array\nboundary f f f\nnewton off\n"
            "communicate single vel yes\nhard_particles yes\n"
            + common_lines(arrangement) + contact.properties
            + matrix("coefficientFriction", by_pair(masses, lambda _: friction))
            + f"pair_style gran model {contact.model}\npair_coeff * *\n"
            + wall_fixes(arrangement, contact, len(masses))
            + run_lines(arrangement.scene, per_row, '"' + " ".join(["%.17g"] * 9) + '"'))


def play(scene):
    arrangement = arrange(scene)
    balls = arrangement.balls()
    masses = [ball.body.mass for ball in balls] + [None]  # the last type is that of walls
    radii = [ball.radius for ball in balls]
    duration, per_row = contact_steps(scene, radii, PER_CONTACT[scene.config])
    contact = (Stiffness if scene.config == "best" else Hertz)(arrangement, masses, duration)
    motion = Motion(ENGINE)
    motion.settings = [f"model {contact.model}", setting(scene, radii, duration),
                       f"{per_row} steps in each row", "no orientation: always 1 0 0 0"]
    if contact.restitution > scene.restitution:
        motion.settings.append(f"coefficientRestitution {LEAST_RESTITUTION}, the least it accepts")
        why = "LIGGGHTS refuses less: '0.05 < coefficientRestitution <= 1 required'"
        motion.unpromised += [f"restitution {why}", f"slow-restitution {why}"]
    files = {f"block{number}.stl": surface(block)
             for number, block in enumerate(arrangement.blocks)}
    files["scene.data"] = data_file(scene, balls, len(masses))
    motion.rows = LIGGGHTS.play(arrangement, files,
                                input_file(arrangement, contact, masses, per_row))
    return motion


def engine():
    LIGGGHTS.start()
    found = re.search(r"(LIGGGHTS-PUBLIC|Version LIGGGHTS)\D*([0-9.]+)", LIGGGHTS.banner)
    return "liggghts " + (found.group(2) if found else "unknown")


LIGGGHTS = Process("liggghts")
ENGINE = engine()
serve(play, ENGINE)
