# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidates that passed before, in the user's cache folder: the same texts, built by the same compiler for the same
processor and torch and tried in the same way, give the same numbers. What differs in anything is tried.

Of those that passed every seventh is tried all the same, for each commit another seventh.
WARPWRIGHT_TESTS=whole tries every one.
"""

import hashlib
import os
import pathlib
import subprocess
import sys
import time

DAYS = 30  # unused for that long: of a text that is gone
SHARES = 7
HERE = pathlib.Path(__file__).parent
# How a candidate is built, run and compared. Rows of references are no part: their texts are.
TRIALS = ("check.py", "emulated.py", "instructions.py", "kept_objects.py", "../tasks/task_file.py")
# What the compiler, the loader and the arithmetic take from the environment; mostly none of it is set.
VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX", "LD_LIBRARY_PATH", "LD_PRELOAD",
             "GLIBC_TUNABLES", "MKL_CBWR", "OMP_NUM_THREADS")


def turn_of_commit():
    done = subprocess.run(["git", "-C", str(HERE), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return int(done.stdout[:12], 16) if done.returncode == 0 else 0


class KeptPasses:
    def __init__(self, facts, files):
        """`facts`: of the compiler; `files`: what every candidate is built with."""
        import torch

        self.known = 0
        self.turn = turn_of_commit()
        self.is_whole = os.environ.get("WARPWRIGHT_TESTS") == "whole"
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        self.folder = pathlib.Path(cache) / "warpwright-tests/passes"
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in self.folder.iterdir():
            try:
                if path.stat().st_mtime < time.time() - DAYS * 24 * 3600:
                    path.unlink()
            except FileNotFoundError:  # another check was faster
                pass
        compiler = subprocess.run(["g++", "-march=native", "-Q", "--help=target", "--version"], capture_output=True, text=True, check=True)
        sources = [*(HERE / name for name in TRIALS), *sorted(path for path in (HERE / "emulator").rglob("*") if path.is_file()), *files]
        self.identity = "\0".join([sys.version, torch.__version__, str(torch.version.git_version), compiler.stdout, *facts,
                                   *(f"{name}={os.environ[name]}" for name in VARIABLES if os.environ.get(name)),
                                   *(f"{path.name}\n{path.read_text()}" for path in sources)])

    def place(self, *texts):
        return self.folder / hashlib.sha256("\0".join((self.identity, *texts)).encode()).hexdigest()

    def spares(self, place):
        """Whether it passed before and is not tried for this commit."""
        if self.is_whole or int(place.name[:8], 16) % SHARES == self.turn % SHARES or not place.exists():
            return False
        try:
            os.utime(place)
        except OSError:
            return False
        self.known += 1
        return True
