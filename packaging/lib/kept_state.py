# SPDX-License-Identifier: GPL-3.0-or-later
"""kept_state.py take|give STATE...: what tests of a fresh clone need not compile anew.

STATE is the state folder of a test program (tests/toolchain/places.h). What is kept, in the user's cache folder, are
the judge and the objects of candidates: both lie under the hash of all they depend on. Times, baselines and
everything else that was measured stay with the clone.
"""
import os
import pathlib
import re
import shutil
import sys
import time

DAYS = 14  # unused for that long: of texts that are gone
KEPT = {"data/referee": re.compile(r"[0-9a-f]{16}"), "cache/warpwright/objects": re.compile(r"[0-9a-f]{32}\.[a-z0-9.]+")}


def store():
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(cache) / "warpwright-tests"


def is_last(path):
    """An object comes after what its compiler said: who sees it finds that, too."""
    return path.suffix == ".o", path.name


def copy(source, target, wanted):
    if not source.is_dir():
        return
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.iterdir(), key=is_last):
        place = target / path.name
        if not wanted.fullmatch(path.name) or path.suffix == ".lock":
            continue
        if place.exists():
            if place.stat().st_mtime < path.stat().st_mtime:
                os.utime(place, (path.stat().st_atime, path.stat().st_mtime))
            continue
        torn = target / f".{path.name}.{os.getpid()}"
        (shutil.copytree if path.is_dir() else shutil.copy2)(path, torn)
        if path.is_dir():  # nobody marks a judge as used: it is made anew from time to time
            os.utime(torn)
        try:
            torn.rename(place)
        except OSError:  # another run was faster
            shutil.rmtree(torn, ignore_errors=True)


def forget_old(folder):
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.stat().st_mtime < time.time() - DAYS * 24 * 3600:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def main():
    way, states = sys.argv[1], map(pathlib.Path, sys.argv[2:])
    for state in states:
        for below, wanted in KEPT.items():
            kept = store() / pathlib.Path(below).name
            copy(*((kept, state / below) if way == "take" else (state / below, kept)), wanted)
    if way == "take":  # what was taken is in use
        for below in KEPT:
            forget_old(store() / pathlib.Path(below).name)
    return 0


sys.exit(main())
