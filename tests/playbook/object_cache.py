# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds faster: g++ through ccache, where it is installed, so that an unchanged text is not compiled again; mold; F16C."""

import pathlib
import shutil
import subprocess

SLOPPINESS = "pch_defines,time_macros,include_file_mtime,include_file_ctime,locale"


def compiler(folder):
    """The command; run it in `folder`, which holds all that it reads but installed headers.

    ccache hashes «-march=native» and not what it resolves to here, so g++'s description of it is hashed as an extra file.
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
    """torch's libraries have so many symbols that ld takes longer than many a candidate runs."""
    return ["-fuse-ld=mold"] if shutil.which("mold") else []


def flags_for_halves():
    """Flags for half conversions by an instruction instead of a call, where the CPU has it."""
    facts = pathlib.Path("/proc/cpuinfo")
    return ["-mf16c"] if facts.exists() and " f16c " in facts.read_text() else []
