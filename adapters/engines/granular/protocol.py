# SPDX-License-Identifier: MIT
"""
The protocol of docs/engines.md for an engine in Python: reads scenes from standard input and
writes motions to standard output. Copy this file and write a function that plays one scene:

    from protocol import Motion, serve

    def play(scene):
        motion = Motion("my-engine 1.0")
        ...  # motion.rows.append((time, [(body.name, position + orientation + velocity + spin)]))
        return motion

    serve(play, "my-engine 1.0")
"""
import sys
from dataclasses import dataclass, field


class Unsupported(Exception):
    """The engine cannot play the scene; the text says why."""


@dataclass
class Body:
    """Mass is None and velocity and spin are zero if the body is fixed. SI units."""

    name: str
    mass: float | None = None
    moments: tuple = ()
    at: tuple = (0.0, 0.0, 0.0)
    turned: tuple = (1.0, 0.0, 0.0, 0.0)
    velocity: tuple = (0.0, 0.0, 0.0)
    spin: tuple = (0.0, 0.0, 0.0)
    shapes: list = field(default_factory=list)  # ("sphere", R, X, Y, Z), ("plane",) ...


@dataclass
class Scene:
    name: str
    config: str = "default"
    variant: str = ""
    dimension: int = 3
    gravity: tuple = (0.0, 0.0, 0.0)
    restitution: float = 0.0
    friction: float = 0.0
    step: float = 0.0
    steps: int = 0
    bodies: list = field(default_factory=list)
    hinges: list = field(default_factory=list)  # (A, B, X, Y, Z, U, V, W, LOWER, UPPER)

    def moving(self):
        return [body for body in self.bodies if body.mass is not None]

    def fixed(self):
        return [body for body in self.bodies if body.mass is None]


@dataclass
class Motion:
    engine: str  # name and version
    settings: list = field(default_factory=list)
    unpromised: list = field(default_factory=list)
    rows: list = field(default_factory=list)  # (time, [(name, 13 numbers), ...])


def add_body(scene, words):
    name, kind, *numbers = words
    body = Body(name)
    if kind == "moving":
        body.mass, *moments = map(float, numbers)
        body.moments = tuple(moments)
    scene.bodies.append(body)


def add_line(scene, key, words):
    """Adds a line between `scene` and `run` to the scene."""
    if key in ("config", "variant"):
        setattr(scene, key, words[0])
    elif key in ("dimension", "steps"):
        setattr(scene, key, int(words[0]))
    elif key == "step":
        scene.step = float(words[0])
    elif key == "gravity":
        scene.gravity = tuple(map(float, words))
    elif key == "material":
        scene.restitution, scene.friction = map(float, words)
    elif key == "body":
        add_body(scene, words)
    elif key in ("at", "turned", "velocity", "spin"):
        setattr(scene.bodies[-1], key, tuple(map(float, words)))
    elif key in ("sphere", "box", "plane"):
        scene.bodies[-1].shapes.append((key, *map(float, words)))
    elif key == "hinge":
        scene.hinges.append((*words[:2], *map(float, words[2:])))
    else:
        raise Unsupported(f"lines '{key}'")


def read_scenes(lines):
    """Yields the scenes, each with the reason why it cannot be read, or None."""
    scene = reason = None
    for line in lines:
        key, *words = line.split() or [""]
        if key == "scene":
            scene, reason = Scene(words[0]), None
        elif key == "run" and scene:
            yield scene, reason
            scene = None
        elif key and scene:
            try:
                add_line(scene, key, words)
            except Unsupported as unknown:
                reason = reason or str(unknown)


def write_motion(motion, out):
    print("engine", motion.engine, file=out)
    for text in motion.settings:
        print("setting", text, file=out)
    for text in motion.unpromised:
        print("unpromised", text, file=out)
    for time, states in motion.rows:
        for name, numbers in states:
            print(f"row {time:.17g} {name}", *(f"{number:.17g}" for number in numbers), file=out)


def serve(play, engine, out=sys.stdout):
    """Plays every scene of standard input. `engine`: name and version, where a scene is refused."""
    for scene, reason in read_scenes(sys.stdin):
        try:
            if reason:
                raise Unsupported(reason)
            write_motion(play(scene), out)
        except Unsupported as why:
            print(f"engine {engine}\nunsupported {why}", file=out)
        print("end", file=out, flush=True)
