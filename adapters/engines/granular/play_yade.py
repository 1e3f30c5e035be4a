# SPDX-License-Identifier: MIT
"""
Yade; run by `yade -x -n`, which defines the names that are not imported here. Rows go to file
descriptor 3, since Yade writes to standard output. default: the engines of its tutorial's first
example, the bouncing sphere; the law of its contact has no restitution. best: the viscoelastic
law without artificial damping.
"""
# pylint: disable=undefined-variable
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))

from contact import contact_steps, rates_without_pull, setting, sliding_rates
from frame import arrange, conjugate, multiply
from protocol import Motion, serve
from yade import config

PER_CONTACT = {"default": 40, "best": 200}  # steps of Yade
ARTIFICIAL_DAMPING = 0.1  # of the tutorial
# Two springs in series: that of a wall is so hard that only the ball's counts.
HARD = 1e6
POISSON = 0.3


def mass_of(scene, ball):
    return ball.body.mass if ball and ball.body.mass else HARD * max(b.mass for b in scene.moving())


def friction_material(scene, ball, duration):
    """Young's modulus times the diameter is the spring of a ball against a wall. No damping."""
    modulus = (math.pi / duration) ** 2 * mass_of(scene, ball) / (2 * ball.radius if ball else 1)
    return FrictMat(young=modulus, poisson=POISSON, density=1.0,
                    frictionAngle=math.atan(scene.friction))


def viscoelastic_material(scene, ball, duration):
    """
    Springs of a pair are in series, as are dampers: rates times the mass of each body become
    rates times their effective mass.
    """
    mass = mass_of(scene, ball)
    spring, damping = rates_without_pull(scene.restitution, duration)
    spring_along, damping_along = sliding_rates(duration)
    return ViscElMat(density=1.0, kn=spring * mass, cn=damping * mass, ks=spring_along * mass,
                     cs=damping_along * mass, frictionAngle=math.atan(scene.friction))


def quaternion(q):
    return Quaternion(q[0], q[1], q[2], q[3])


def add_ball(ball, material):
    fixed = ball.body.mass is None
    number = O.bodies.append(sphere(ball.at, ball.radius, material=material, fixed=fixed))
    if fixed:
        return number
    body = O.bodies[number]
    body.state.mass = ball.body.mass
    body.state.inertia = ball.body.moments
    body.aspherical = len(set(ball.body.moments)) > 1
    body.state.ori = quaternion(ball.body.turned)
    body.state.vel, body.state.angVel = ball.body.velocity, ball.body.spin
    # an aspherical body is moved by its angular momentum
    in_body = body.state.ori.conjugate() * Vector3(ball.body.spin)
    momentum = [moment * w for moment, w in zip(ball.body.moments, in_body)]
    body.state.angMom = body.state.ori * Vector3(momentum)
    return number


def add_walls(arrangement, material):
    for plane in arrangement.walls:
        O.bodies.append(wall(plane.position, axis=plane.axis, sense=int(plane.sign),
                             material=material))
    for block in arrangement.blocks:
        centre = [(low + high) / 2 for low, high in zip(block.low, block.high)]
        half = [(high - low) / 2 for low, high in zip(block.low, block.high)]
        O.bodies.append(box(centre, half, fixed=True, material=material))


class Recorder:
    """Is called by Yade after every row."""

    def __init__(self, arrangement, numbers):
        self.arrangement, self.numbers, self.rows = arrangement, numbers, []

    def note(self):
        states, back = [], conjugate(self.arrangement.turn)
        for ball, number in zip(self.arrangement.moving, self.numbers):
            state = O.bodies[number].state
            q = state.ori
            turned = multiply(back, (q[3], q[0], q[1], q[2]))
            numbers = self.arrangement.state(tuple(state.pos), turned, tuple(state.vel),
                                             tuple(state.angVel))
            states.append((ball.name, numbers))
        self.rows.append((len(self.rows) * self.arrangement.scene.step, states))


def contact_functors(best):
    if best:
        return [Ip2_ViscElMat_ViscElMat_ViscElPhys()], [Law2_ScGeom_ViscElPhys_Basic()]
    return [Ip2_FrictMat_FrictMat_FrictPhys()], [Law2_ScGeom_FrictPhys_CundallStrack()]


def engines(arrangement, best, per_row):
    physics, laws = contact_functors(best)
    return [
        ForceResetter(),
        InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb(), Bo1_Box_Aabb()]),
        InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom(),
                         Ig2_Box_Sphere_ScGeom()], physics, laws),
        NewtonIntegrator(damping=0 if best else ARTIFICIAL_DAMPING, gravity=arrangement.gravity),
        PyRunner(command="recorder.note()", iterPeriod=per_row, initRun=False),
    ]


def unpromised():
    """What Yade's manual excludes with the settings of the tutorial."""
    law = ("manual, class Law2_ScGeom_FrictPhys_CundallStrack: linear elastic-plastic, without a "
           "parameter of restitution")
    damping = ("manual, State.isDamped and NewtonIntegrator.damping: non viscous damping, "
               "inappropriate for particles in free flight under gravity")
    forces = ("manual, DEM formulation, Numerical damping: changes each force by the factor "
              f"1 -+ {ARTIFICIAL_DAMPING}, as it speeds a body up or slows it down")
    return [f"restitution {law}", f"slow-restitution {law}", f"free-flight {damping}",
            f"friction {forces}"]


def play(scene):
    global recorder
    arrangement = arrange(scene, any_moments=True)
    best = scene.config == "best"
    radii = [ball.radius for ball in arrangement.balls()]
    duration, per_row = contact_steps(scene, radii, PER_CONTACT[scene.config])
    material = viscoelastic_material if best else friction_material
    O.reset()
    O.materials.append(material(scene, None, duration))
    add_walls(arrangement, O.materials[0])
    numbers = [add_ball(ball, material(scene, ball, duration)) for ball in arrangement.balls()]
    recorder = Recorder(arrangement, numbers[:len(arrangement.moving)])
    recorder.note()
    O.dt = scene.step / per_row
    O.engines = engines(arrangement, best, per_row)
    O.run(per_row * scene.steps + 1, True)
    law = "Law2_ScGeom_ViscElPhys_Basic" if best else "Law2_ScGeom_FrictPhys_CundallStrack"
    motion = Motion(ENGINE, rows=recorder.rows[:scene.steps + 1])
    motion.settings = [law, setting(scene, radii, duration), f"{per_row} steps in each row"]
    if not best:
        motion.settings.append(f"artificial damping {ARTIFICIAL_DAMPING}, as in the tutorial")
        motion.unpromised += unpromised()
    return motion


ENGINE = "yade " + config.version
recorder = None
serve(play, ENGINE, os.fdopen(3, "w"))
