# SPDX-License-Identifier: GPL-3.0-or-later
"""g++ through ccache, where there is one: what a candidate's text was compiled to costs nothing a second time. And other
things that spare time."""

import pathlib
import shutil
import subprocess

SLOPPINESS = "pch_defines,time_macros,include_file_mtime,include_file_ctime,locale"


def compiler(folder):
    """The command; it is to be run in `folder`, below which everything lies that it reads beside installed headers.

    ccache sees «-march=native» and not what it means here, so what g++ makes of it is counted as one more file.
    """
    ccache = shutil.which("ccache")
    if ccache is None:
        return ["g++"]
    processor = folder / "processor"
    processor.write_bytes(subprocess.run(["g++", "-march=native", "-Q", "--help=target", "--help=params"],
                                         capture_output=True, check=True).stdout)
    return ["env", f"CCACHE_BASEDIR={folder}", "CCACHE_NOHASHDIR=1", f"CCACHE_SLOPPINESS={SLOPPINESS}", "CCACHE_INODECACHE=1",
            f"CCACHE_EXTRAFILES={processor}", ccache, "g++"]


def quick_linker():
    """torch's libraries have so many symbols that the usual linker takes longer than many a candidate runs."""
    return ["-fuse-ld=mold"] if shutil.which("mold") else []


def flags_for_halves():
    """Has g++ convert halves by an instruction instead of a call, where the machine has it."""
    facts = pathlib.Path("/proc/cpuinfo")
    return ["-mf16c"] if facts.exists() and " f16c " in facts.read_text() else []
