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

from warpwright_wall import readable_paths

# Places that anybody may write to: code that lies there came with the candidate.
OPEN_PLACES = ("/tmp/", "/var/tmp/", "/dev/shm/", "/memfd:")
MOST = 64


def load_ahead():
    """What Python would load later, of itself and of numpy: a candidate's process gets no code from files any more."""
    if "numpy" in sys.modules:
        for name in ("numpy.random", "numpy.fft", "numpy.linalg"):
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    for file in sorted(glob.glob(os.path.join(sysconfig.get_path("platstdlib"), "lib-dynload", "*.so"))):
        if not os.path.basename(file).startswith(("_test", "_xx", "xx", "_tkinter", "_curses", "readline", "_dbm", "_gdbm", "nis", "ossaudiodev")):
            with contextlib.suppress(OSError):
                ctypes.CDLL(file)


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
