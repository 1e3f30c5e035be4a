# SPDX-License-Identifier: MIT
"""
The linear spring-dashpot contact m x" + c x' + k x = 0 of two bodies with effective mass m:
which k and c return the velocity e times after the duration T. All rates are per effective mass.
"""
import math

OVERLAP = 0.01  # of the smallest radius, at the greatest speed
SAG = 0.001  # of the smallest radius, under a body's own weight
MOST_STEPS = 400_000  # of the engine, in a scene. If more are needed, a contact has fewer steps,
LEAST_PER_CONTACT = 50  # but not fewer than these; then it is softer


def rates(restitution, duration):
    """k / m and c / m of a contact that ends with the overlap. Critical damping has no rebound."""
    if restitution <= 0:
        frequency = 2 * math.pi / duration
        return frequency**2, 2 * frequency
    decay = -math.log(restitution) / duration
    return (math.pi / duration) ** 2 + decay**2, 2 * decay


def sliding_rates(duration):
    """
    k / m and c / m along the surface, for spheres: critically damped and ten times as fast as the
    contact, so that a body that stops sliding does not slide back. 2/7 m is the mass that the
    point of contact of a sphere resists with.
    """
    frequency = 10 * math.pi / duration
    return 2 / 7 * frequency**2, 2 / 7 * 2 * frequency


def restitution_without_pull(ratio):
    """Of a contact that ends when its force does; ratio: of the critical damping."""
    if ratio < 1:
        root = math.sqrt(1 - ratio**2)
        return math.exp(-2 * ratio / root * math.atan2(root, ratio))
    root = math.sqrt(max(ratio**2 - 1, 1e-12))
    return math.exp(-ratio / root * math.log((ratio + root) / (ratio - root)))


def rates_without_pull(restitution, duration):
    """k / m and c / m of a contact that pushes only; it lasts about `duration`."""
    low, high = 0.0, 20.0
    for _ in range(60):
        ratio = (low + high) / 2
        low, high = (ratio, high) if restitution_without_pull(ratio) > restitution else (low, ratio)
    frequency = math.pi / duration
    return frequency**2, 2 * ratio * frequency


def length(vector):
    return math.sqrt(sum(x * x for x in vector))


def greatest_speed(scene):
    """An upper bound of the speed at which two bodies meet, m/s."""
    speeds = sorted((length(body.velocity) for body in scene.moving()), reverse=True)
    points = [body.at for body in scene.bodies]
    height = max((math.dist(p, q) for p in points for q in points), default=0)
    gravity = length(scene.gravity)
    fall = min(gravity * scene.step * scene.steps, math.sqrt(2 * gravity * height))
    return sum(speeds[:2]) + fall


def contact_steps(scene, radii, per_contact):
    """
    The duration of a contact, s, so short that overlaps are small, and the engine's steps in a
    row, so that a contact has `per_contact`.
    """
    smallest = min(radii)
    durations = [scene.step / 4]
    speed, gravity = greatest_speed(scene), length(scene.gravity)
    if speed > 0:
        durations.append(math.pi * OVERLAP * smallest / speed)
    if gravity > 0:
        durations.append(math.pi * math.sqrt(SAG * smallest / gravity))
    affordable = MOST_STEPS / scene.steps
    least = min(per_contact, LEAST_PER_CONTACT) * scene.step / affordable
    duration = max(min(durations), least)
    return duration, math.ceil(min(per_contact * scene.step / duration, affordable))


def setting(scene, radii, duration):
    overlap = greatest_speed(scene) * duration / math.pi / min(radii)
    return f"a contact lasts {duration:.3g} s; overlaps up to {100 * overlap:.2g} % of the radius"


def effective_mass(a, b):
    """None: a mass without bound."""
    if a is None or b is None:
        return a or b
    return a * b / (a + b)
