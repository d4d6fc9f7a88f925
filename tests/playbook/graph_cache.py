# SPDX-License-Identifier: GPL-3.0-or-later
"""Caches graphs in the user's cache folder: tracing a loop over time takes ten seconds, and the same text gives the same graph
with the same reader, Python and torch. All of these are in the cache key.

PLAYBOOK_GRAPHS=none disables the cache.
"""

import hashlib
import os
import pathlib
import sys
import time
import zlib

DAYS = 14  # entries unused for that long belong to an old reader or task


def folder():
    if os.environ.get("PLAYBOOK_GRAPHS") == "none":
        return None
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(cache) / "warpwright-tests/graphs"


class GraphCache:
    def __init__(self, readers):
        """`readers`: every file of Python that a graph depends on, other than the reference."""
        import torch

        self.folder = folder()
        parts = [sys.version, torch.__version__, str(torch.version.git_version), torch.__file__]
        parts += [f"{path.name}\n{path.read_text()}" for path in sorted(readers)]
        self.identity = "\0".join(parts)
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.evict_old()

    def evict_old(self):
        for path in self.folder.iterdir():
            try:
                if path.stat().st_mtime < time.time() - DAYS * 24 * 3600:
                    path.unlink()
            except FileNotFoundError:  # another process removed it
                pass

    def line(self, text, read):
        """The cached graph of `text`, which has all that differs from graph to graph; else that of `read()`."""
        if self.folder is None:
            return read()
        path = self.folder / hashlib.sha256(f"{self.identity}\0{text}".encode()).hexdigest()
        try:
            line = zlib.decompress(path.read_bytes()).decode()
            os.utime(path)
            return line
        except (OSError, zlib.error):
            pass
        line = read()
        partial = path.with_suffix(f".{os.getpid()}")
        partial.write_bytes(zlib.compress(line.encode(), 1))
        partial.rename(path)  # atomic
        return line
