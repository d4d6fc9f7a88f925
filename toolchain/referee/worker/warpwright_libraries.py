# SPDX-License-Identifier: GPL-3.0-or-later
"""Which functions of libraries a candidate's extension calls, and which code it brings into the process.

Counted by the shim (library_watch.cpp) from the moment at which the extension has been loaded. It runs in the
candidate's own process: what it says is evidence, not proof.
"""

import contextlib
import ctypes
import glob
import importlib
import os
import sys
import sysconfig

from warpwright_files import Unusable
from warpwright_sandbox import readable_paths

# Places that anybody may write to: code that lies there came with the candidate.
OPEN_PLACES = ("/tmp/", "/var/tmp/", "/dev/shm/", "/memfd:")
MOST = 64


def load_ahead():
    """What Python would load later, of itself and of numpy: a candidate's process gets no code from files any more."""
    if "numpy" in sys.modules:
        for name in ("numpy.random", "numpy.fft", "numpy.linalg"):
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    folder = sysconfig.get_config_var("DESTSHARED") or os.path.join(sysconfig.get_path("stdlib"), "lib-dynload")
    for file in sorted(glob.glob(os.path.join(folder, "*.so"))):
        if not os.path.basename(file).startswith(("_test", "audioop", "_xx", "xx", "_tkinter", "_curses", "readline", "_dbm", "_gdbm", "nis", "ossaudiodev")):
            with contextlib.suppress(OSError):
                ctypes.CDLL(file)


class LaterCode:
    """Copies of libraries' code that take its place in a process: what they lack is there until then, and not after.

    Mapped before anybody else's code runs, for later on nobody gets code from files; each worker has them from its
    fork server. Their data stay the original's, and so does where everything lies.
    """

    READ_AND_EXECUTE, PRIVATE, MOVE_TO = 5, 2, 3

    def __init__(self, pairs):
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.mmap.restype = self._libc.mremap.restype = ctypes.c_void_p
        self._libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
        self._libc.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
        self._pieces = []  # (the copy's place, the original's piece)
        for piece in self._code():
            copy = pairs.get(piece[-1])
            if copy is not None:
                file = os.open(copy, os.O_RDONLY)
                place = self._libc.mmap(None, piece[1] - piece[0], self.READ_AND_EXECUTE, self.PRIVATE, file, piece[2])
                os.close(file)
                if place in (None, ctypes.c_void_p(-1).value):
                    raise OSError(ctypes.get_errno(), f"cannot map the code of {copy}")
                self._pieces.append((place, piece))

    @staticmethod
    def _code():
        """(start, end, offset, device and inode, path) of each piece of code that lies in a file."""
        with open("/proc/self/maps") as maps:
            for line in maps:
                span, rights, offset, device, inode, *path = line.rstrip("\n").split(None, 5)
                if rights.startswith("r-x") and path:
                    start, end = (int(number, 16) for number in span.split("-"))
                    yield start, end, int(offset, 16), (device, inode), path[0]

    def put(self):
        """Raises Unusable where the original's code no longer lies where it lay."""
        there = {piece[:4] for piece in self._code()}
        for place, piece in self._pieces:
            start, end = piece[:2]
            if piece[:4] not in there or self._libc.mremap(place, end - start, end - start, self.MOVE_TO, start) != start:
                raise Unusable(f"The code of {os.path.basename(piece[-1])} was moved while the candidate was loaded", "Leave it where it is")
        self._pieces = []


LATER = None


def prepare_later(words):
    """words: a copy, its original, a copy …"""
    global LATER
    if words:
        LATER = LaterCode(dict(zip(words[1::2], words[::2])))


def take_away():
    """What a candidate may not compute with any more, now that it is constructed."""
    if LATER is not None:
        LATER.put()


def code_files():
    """Files of which something is mapped to be executed."""
    files = set()
    with open("/proc/self/maps") as maps:
        for line in maps:
            place = line.rstrip("\n").split(None, 5)
            if len(place) == 6 and "x" in place[1] and place[5].startswith("/"):
                files.add(place[5])
    return files


def plans_code(extension):
    """Whether it calls oneDNN, which writes its kernels when it is asked for them."""
    with open(extension, "rb") as file:
        return b"\0dnnl_" in file.read()


class LibraryRecord:
    """Made before the extension is imported; watch() comes right after."""

    def __init__(self, shim, folder):
        self._shim, self._folder = shim, folder
        self._known = code_files()
        # An interpreter may lie in an open place, and loads its own modules from there.
        self._trusted = tuple(path.rstrip("/") + "/" for path in readable_paths() if path.rstrip("/") not in ("", "/tmp", folder))
        self._is_watched = False

    def watch(self, extension):
        self._known.add(extension)
        self._is_watched = self._shim.ww_watch_libraries(extension.encode()) == 0
        # What Python looks up by name.
        looker = getattr(sys.modules.get("_ctypes"), "__file__", None)
        if looker is not None:
            self._shim.ww_watch_libraries(looker.encode())

    def counts(self):
        counts, calls, number = {}, ctypes.c_uint64(), 0
        while (name := self._shim.ww_library_function(number, ctypes.byref(calls))) is not None:
            if calls.value:
                counts[name.decode(errors="replace")] = counts.get(name.decode(errors="replace"), 0) + calls.value
            number += 1
        return counts

    def since(self, before):
        """`calls` after `before` was counted, `earlier` ones, and `brought`: files with code, from open places."""
        calls = {name: count - before.get(name, 0) for name, count in self.counts().items() if count > before.get(name, 0)}
        places = OPEN_PLACES + (self._folder.rstrip("/") + "/",)
        brought = [
            file for file in sorted(code_files() - self._known) if file.startswith(places) and not file.startswith(self._trusted)
        ]
        return {"watched": self._is_watched, "calls": calls, "earlier": before, "brought": brought[:MOST]}

    def knock_out(self, names):
        for name in names:
            self._shim.ww_knock_out_library(name.encode())

    def put_back(self):
        self._shim.ww_put_back_libraries()
