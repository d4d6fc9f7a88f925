# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphs that were read before, in the user's cache folder: to trace a loop over time takes ten seconds, and the same
text gives the same graph as long as the reader, Python and torch are the same. All of that is in a graph's name.

PLAYBOOK_GRAPHS=none reads everything anew.
"""

import hashlib
import os
import pathlib
import sys
import time
import zlib

DAYS = 14  # unused for that long: of a reader or a task that is gone


def folder():
    if os.environ.get("PLAYBOOK_GRAPHS") == "none":
        return None
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(cache) / "warpwright-tests/graphs"


class KeptGraphs:
    def __init__(self, readers):
        """`readers`: every file of Python that takes part beside the text that is read."""
        import torch

        self.folder = folder()
        parts = [sys.version, torch.__version__, str(torch.version.git_version), torch.__file__]
        parts += [f"{path.name}\n{path.read_text()}" for path in sorted(readers)]
        self.identity = "\0".join(parts)
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.forget_old()

    def forget_old(self):
        for path in self.folder.iterdir():
            try:
                if path.stat().st_mtime < time.time() - DAYS * 24 * 3600:
                    path.unlink()
            except FileNotFoundError:  # another check was faster
                pass

    def line(self, text, made):
        """The graph of `text`, a description of all that differs from graph to graph; else what `made()` gives."""
        if self.folder is None:
            return made()
        place = self.folder / hashlib.sha256(f"{self.identity}\0{text}".encode()).hexdigest()
        try:
            line = zlib.decompress(place.read_bytes()).decode()
            os.utime(place)
            return line
        except (OSError, zlib.error):
            pass
        line = made()
        torn = place.with_suffix(f".{os.getpid()}")
        torn.write_bytes(zlib.compress(line.encode(), 1))
        torn.rename(place)  # whole, or not there
        return line
