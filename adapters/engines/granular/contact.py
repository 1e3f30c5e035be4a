# SPDX-License-Identifier: MIT
"""
The linear spring-dashpot contact m x" + c x' + k x = 0 of two bodies with effective mass m:
which k and c return the velocity e times after the duration T. All rates are per effective mass.
"""
import math

OVERLAP = 0.01  # of the smallest radius, at the greatest speed
SAG = 0.001  # of the smallest radius, under a body's own weight
MOST_STEPS = 400_000  # of the engine, in a scene: harder contacts would take more


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


def contact_duration(scene, radii, per_contact):
    """Seconds: so short that overlaps are small, and so long that the scene can be afforded."""
    smallest = min(radii)
    durations = [scene.step / 4]
    speed, gravity = greatest_speed(scene), length(scene.gravity)
    if speed > 0:
        durations.append(math.pi * OVERLAP * smallest / speed)
    if gravity > 0:
        durations.append(math.pi * math.sqrt(SAG * smallest / gravity))
    return max(min(durations), per_contact * scene.step * scene.steps / MOST_STEPS)


def setting(scene, radii, duration):
    overlap = greatest_speed(scene) * duration / math.pi / min(radii)
    return f"a contact lasts {duration:.3g} s; overlaps up to {100 * overlap:.2g} % of the radius"


def effective_mass(a, b):
    """None: a mass without bound."""
    if a is None or b is None:
        return a or b
    return a * b / (a + b)
