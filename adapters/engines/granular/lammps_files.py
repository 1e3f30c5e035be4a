# SPDX-License-Identifier: MIT
"""Files and process that LAMMPS and LIGGGHTS, which descends from it, have in common."""
import math
import os
import subprocess
import tempfile

from protocol import Unsupported

MARGIN = 10.0  # of the region in which the atoms may be, m


DONE = "that was all"


class Process:
    """The code in a folder of its own; it reads lines of input files, scene after scene."""

    def __init__(self, command):
        self.command = command
        self.folder = tempfile.TemporaryDirectory()
        self.process = None
        self.banner = ""

    def start(self):
        """Open MPI starts no daemon and looks for no network. Each line of output comes at once."""
        environment = dict(os.environ, OMPI_MCA_ess_singleton_isolated="1", OMPI_MCA_pml="ob1",
                           OMPI_MCA_btl="self", OMP_NUM_THREADS="1")
        self.process = subprocess.Popen(["stdbuf", "-oL", self.command, "-log", "none"],
                                        cwd=self.folder.name, env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, errors="replace")
        self.banner = self.send("")

    def send(self, lines):
        """What it prints on these lines."""
        printed = []
        try:
            self.process.stdin.write(f'{lines}print "{DONE}"\n')
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        for line in self.process.stdout:
            if line.strip() == DONE:
                return "".join(printed)
            printed.append(line)
        self.process.wait()
        self.process = None
        errors = [line.strip() for line in printed if "ERROR" in line]
        raise Unsupported(f"what {self.command} refuses: {(errors or ['no reason given'])[0]}")

    def play(self, arrangement, files, lines):
        """The rows of a motion."""
        if self.process is None:
            self.start()
        for name, text in files.items():
            with open(os.path.join(self.folder.name, name), "w", encoding="ascii") as file:
                file.write(text)
        self.send(f"clear\n{lines}undump rows\n")
        with open(os.path.join(self.folder.name, "rows"), encoding="ascii") as file:
            return read_rows(file.read().splitlines(), arrangement)


def reach_of(scene, balls):
    """No atom gets farther than this, m."""
    time = scene.step * scene.steps
    speeds = sum(math.hypot(*ball.body.velocity) for ball in balls)
    farthest = max(math.hypot(*ball.at) + ball.radius for ball in balls)
    return farthest + 2 * speeds * time + math.hypot(*scene.gravity) * time**2 + MARGIN


def data_file(scene, balls, types):
    """Each ball is an atom of its own type. The mass of a frozen atom does not matter."""
    reach = reach_of(scene, balls)
    bounds = "".join(f"{-reach!r} {reach!r} {axis}lo {axis}hi\n" for axis in "xyz")
    atoms, velocities = "", ""
    for number, ball in enumerate(balls, 1):
        density = (ball.body.mass or 1.0) / (4 / 3 * math.pi * ball.radius**3)
        at = " ".join(map(repr, ball.at))
        atoms += f"{number} {number} {2 * ball.radius!r} {density!r} {at}\n"
        velocities += f"{number} {' '.join(map(repr, ball.body.velocity + ball.body.spin))}\n"
    return (f"scene {scene.name}\n\n{len(balls)} atoms\n{types} atom types\n\n{bounds}\n"
            f"Atoms\n\n{atoms}\nVelocities\n\n{velocities}")


def common_lines(arrangement):
    """What begins an input file, after `newton off` and the mode of communication."""
    smallest = min(ball.radius for ball in arrangement.balls())
    moving, all_balls = len(arrangement.moving), len(arrangement.balls())
    gravity = math.hypot(*arrangement.gravity)
    # style nsq needs no memory for the empty space around, but does not find triangles
    bins = f"bin\nneigh_modify binsize {reach_of(arrangement.scene, arrangement.balls()) / 10!r}"
    text = ("atom_modify sort 0 0\nread_data scene.data\n"
            f"neighbor {0.5 * smallest!r} {bins if arrangement.blocks else 'nsq'}\n"
            f"neigh_modify every 1 delay 0 check yes\ngroup moving id 1:{moving}\n")
    text += "".join(f"group ball{i} id {i}\n" for i in range(1, moving + 1))
    if all_balls > moving:
        text += f"group frozen id {moving + 1}:{all_balls}\nfix frozen frozen freeze\n"
    if gravity > 0:
        vector = " ".join(map(repr, arrangement.gravity))
        text += f"fix weight moving gravity {gravity!r} vector {vector}\n"
    return text


def run_lines(scene, per_row, number_format):
    return (f"timestep {scene.step / per_row!r}\nfix motion moving nve/sphere\n"
            f"dump rows moving custom {per_row} rows x y z vx vy vz omegax omegay omegaz\n"
            f"dump_modify rows format {number_format} sort id\nthermo 1000000000\n"
            f"run {per_row * scene.steps}\n")


def read_rows(lines, arrangement):
    """Blocks of 9 lines of heading and a line for each moving ball."""
    count, rows = len(arrangement.moving), []
    if len(lines) % (9 + count) > 0:
        raise Unsupported("bodies that leave the region of the atoms")
    for start in range(0, len(lines), 9 + count):
        states = []
        for ball, line in zip(arrangement.moving, lines[start + 9:start + 9 + count]):
            x = tuple(map(float, line.split()))
            state = arrangement.state(x[:3], (1.0, 0.0, 0.0, 0.0), x[3:6], x[6:])
            states.append((ball.name, state))
        rows.append((len(rows) * arrangement.scene.step, states))
    return rows
