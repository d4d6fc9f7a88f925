# SPDX-License-Identifier: GPL-3.0-or-later
"""Remembers candidates that passed, in the user's cache folder: the same texts, built by the same compiler for the same
processor and torch and tried in the same way, give the same numbers. A candidate that differs in any of these is tried.

A seventh of those that passed is tried again, for each commit another seventh. WARPWRIGHT_TESTS=whole tries all.

WARPWRIGHT_TEST_MINUTES=N (.ci/run): after N minutes nothing new is tried, and how much was not is said. What passed is
known to the next run, which goes on from there.
"""

import atexit
import hashlib
import os
import pathlib
import subprocess
import sys
import time

DAYS = 30  # entries unused for that long belong to old texts
SHARES = 7
HERE = pathlib.Path(__file__).parent
# How a candidate is built, run and compared. The texts of references are part of the key, their files are not.
TRIALS = ("check.py", "cuda_to_cpp.py", "inline_ptx.py", "object_cache.py", "../tasks/task_file.py")
# Environment variables that change the compiler, the loader or the arithmetic; mostly unset.
VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX", "LD_LIBRARY_PATH", "LD_PRELOAD",
             "GLIBC_TUNABLES", "MKL_CBWR", "OMP_NUM_THREADS")


def share_of_commit():
    done = subprocess.run(["git", "-C", str(HERE), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return int(done.stdout[:12], 16) if done.returncode == 0 else 0


class ResultCache:
    def __init__(self, facts, files):
        """`facts`: the compiler's flags; `files`: what every candidate is built with."""
        import torch

        self.known = self.untried = 0
        self.minutes = float(os.environ.get("WARPWRIGHT_TEST_MINUTES") or "inf")
        self.began = time.monotonic()
        self.process = os.getpid()
        atexit.register(self.report_untried)
        self.share = share_of_commit()
        self.is_whole = os.environ.get("WARPWRIGHT_TESTS") == "whole"
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        self.folder = pathlib.Path(cache) / "warpwright-tests/passes"
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in self.folder.iterdir():
            try:
                if path.stat().st_mtime < time.time() - DAYS * 24 * 3600:
                    path.unlink()
            except FileNotFoundError:  # another process removed it
                pass
        compiler = subprocess.run(["g++", "-march=native", "-Q", "--help=target", "--version"], capture_output=True, text=True, check=True)
        sources = [*(HERE / name for name in TRIALS), *sorted(path for path in (HERE / "emulator").rglob("*") if path.is_file()), *files]
        self.identity = "\0".join([sys.version, torch.__version__, str(torch.version.git_version), compiler.stdout, *facts,
                                   *(f"{name}={os.environ[name]}" for name in VARIABLES if os.environ.get(name)),
                                   *(f"{path.name}\n{path.read_text()}" for path in sources)])

    def path(self, *texts):
        return self.folder / hashlib.sha256("\0".join((self.identity, *texts)).encode()).hexdigest()

    def report_untried(self):
        if self.untried and os.getpid() == self.process:
            print(f"NOT TRIED: {self.untried} candidates, for {self.minutes:g} minutes were up. The next run tries them; "
                  "without WARPWRIGHT_TEST_MINUTES this one would have.", flush=True)

    def is_late(self):
        """Whether this run's minutes are up; then a candidate that has not passed before is counted as not tried."""
        self.untried += (is_late := time.monotonic() - self.began > 60 * self.minutes)
        return is_late

    def is_cached(self, path):
        """Whether it passed before and is not in this commit's seventh."""
        if self.is_whole or int(path.name[:8], 16) % SHARES == self.share % SHARES or not path.exists():
            return False
        try:
            os.utime(path)
        except OSError:
            return False
        self.known += 1
        return True
