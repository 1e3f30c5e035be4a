# SPDX-License-Identifier: MIT
"""
LAMMPS, styles of its GRANULAR package. default: gran/hooke/history with automatic tangential
terms and one damping for all pairs, as in its benchmark `chute`, which is right for the first
pair only. best: style granular, with a spring and a damping for each pair.
"""
import re

from contact import contact_steps, effective_mass, rates, setting, sliding_rates
from frame import arrange
from lammps_files import Process, common_lines, data_file, run_lines
from protocol import Motion, serve

PER_CONTACT = {"default": 40, "best": 100}  # steps of LAMMPS
AUTOMATIC = "NULL"
MOST_RESTITUTION = 1 - 1e-6


class Hooke:
    """One spring and one damping for all pairs."""

    def __init__(self, arrangement, duration):
        masses = [ball.body.mass for ball in arrangement.moving]
        fixed = arrangement.walls or arrangement.blocks or arrangement.frozen
        first = masses[0] if fixed or len(masses) == 1 else effective_mass(*masses[:2])
        spring, damping = rates(arrangement.scene.restitution, duration)
        self.terms = (f"hooke/history {spring * first!r} {AUTOMATIC} {damping!r} {AUTOMATIC} "
                      f"{arrangement.scene.friction!r} 0")
        self.style = "gran/hooke/history"
        self.pairs = f"pair_style gran/{self.terms}\npair_coeff * *\n"

    def wall(self, _mass):
        return self.terms


class Granular:
    """The contact of every pair lasts equally long, also along the surface (contact.py)."""

    def __init__(self, arrangement, duration):
        self.friction = arrangement.scene.friction
        # the damping along the surface is a multiple of the normal one, which thus cannot be 0
        self.rates = rates(min(arrangement.scene.restitution, MOST_RESTITUTION), duration)
        self.sliding = sliding_rates(duration)
        self.style = "granular"
        self.pairs = "pair_style granular\n"
        balls = arrangement.balls()
        for i, one in enumerate(balls, 1):
            for j, other in enumerate(balls[i - 1:], i):
                mass = effective_mass(one.body.mass, other.body.mass) or 1.0
                self.pairs += f"pair_coeff {i} {j} {self.terms(mass)}\n"

    def terms(self, mass):
        spring, damping = self.rates[0] * mass, self.rates[1]
        return (f"hooke {spring!r} {damping!r} tangential linear_history "
                f"{self.sliding[0] * mass!r} {self.sliding[1] / damping!r} {self.friction!r} "
                "damping mass_velocity")

    def wall(self, mass):
        return "granular " + self.terms(mass)


def wall_fixes(arrangement, contact):
    """For each ball its own walls, since their spring depends on its mass."""
    text = ""
    for number, block in enumerate(arrangement.blocks):
        bounds = " ".join(f"{low!r} {high!r}" for low, high in zip(block.low, block.high))
        text += f"region block{number} block {bounds} side out\n"
    for i, ball in enumerate(arrangement.moving, 1):
        terms = contact.wall(ball.body.mass)
        for number, wall in enumerate(arrangement.walls):
            bounds = f"{wall.position!r} NULL" if wall.sign > 0 else f"NULL {wall.position!r}"
            plane = "xyz"[wall.axis] + "plane"
            text += f"fix wall{i}x{number} ball{i} wall/gran {terms} {plane} {bounds}\n"
        for number in range(len(arrangement.blocks)):
            text += f"fix block{i}x{number} ball{i} wall/gran/region {terms} region block{number}\n"
    return text


def input_file(arrangement, contact, per_row):
    return ("units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
            + common_lines(arrangement) + contact.pairs + wall_fixes(arrangement, contact)
            + run_lines(arrangement.scene, per_row, "float %.17g"))


def play(scene):
    arrangement = arrange(scene)
    balls = arrangement.balls()
    radii = [ball.radius for ball in balls]
    duration, per_row = contact_steps(scene, radii, PER_CONTACT[scene.config])
    contact = (Granular if scene.config == "best" else Hooke)(arrangement, duration)
    motion = Motion(ENGINE)
    motion.settings = [f"pair_style {contact.style}", setting(scene, radii, duration),
                       f"{per_row} steps in each row", "no orientation: always 1 0 0 0"]
    motion.rows = LAMMPS.play(arrangement, {"scene.data": data_file(scene, balls, len(balls))},
                              input_file(arrangement, contact, per_row))
    return motion


def engine():
    LAMMPS.start()
    found = re.search(r"LAMMPS \((.*)\)", LAMMPS.banner)
    return "lammps " + (found.group(1).replace(" ", "") if found else "unknown")


LAMMPS = Process("lmp")
ENGINE = engine()
serve(play, ENGINE)
