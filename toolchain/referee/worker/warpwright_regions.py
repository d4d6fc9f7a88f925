# SPDX-License-Identifier: GPL-3.0-or-later
"""Parallel regions of a candidate for a CPU, as region_watch.cpp times them, with the names of their functions."""

import ctypes
import struct

from warpwright_shares import demangler

MOST_REGIONS = 20000


class _Region(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("start_ns", "end_ns", "busy_ns", "longest_ns", "offset", "threads")]


def functions_of(library):
    """{offset: name} of the functions in the symbol table of a 64-bit library; empty where it was stripped."""
    with open(library, "rb") as file:
        data = file.read()
    if data[:5] != b"\x7fELF\x02":
        return {}
    place, = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    # name, type, flags, address, offset, bytes, link, info, alignment, entry
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, place + size * number) for number in range(count)]
    found = {}
    for section in sections:
        if section[1] != 2:  # SHT_SYMTAB
            continue
        names = sections[section[6]][4]
        for at in range(section[4], section[4] + section[5], 24):
            name, info, _, _, value, _ = struct.unpack_from("<IBBHQQ", data, at)
            if info & 15 == 2 and value:  # STT_FUNC
                start = names + name
                found[value] = data[start : data.index(b"\0", start)]
    return found


def readable(name, demangle):
    """«launchRows._omp_fn.0» is a piece of launchRows that the compiler cut out."""
    whole, _, number = name.partition(b"._omp_fn.")
    text = demangle(whole).decode(errors="replace")
    return f"{text}, region {int(number) + 1}" if number.isdigit() else text


class Regions:
    """What the extension's parallel regions do, from begin() to events()."""

    def __init__(self, library, extension):
        self._library = ctypes.CDLL(library)
        self._library.ww_watch_regions.argtypes = [ctypes.c_char_p]
        self._library.ww_timed_regions.restype = ctypes.c_uint32
        self._library.ww_timed_regions.argtypes = [ctypes.POINTER(ctypes.POINTER(_Region)), ctypes.POINTER(ctypes.c_uint32)]
        self.openers = self._library.ww_watch_regions(extension.encode())
        try:
            functions, demangle = functions_of(extension), demangler()
        except (OSError, struct.error, IndexError, ValueError):
            functions, demangle = {}, None
        self._names = {offset: readable(name, demangle) for offset, name in functions.items() if b"_omp_fn" in name}

    def begin(self):
        self._library.ww_time_regions(1)

    def end(self):
        self._library.ww_time_regions(0)

    def events(self, start_ns):
        """Those since begin(), from `start_ns` of the monotonic clock on."""
        first, kept = ctypes.POINTER(_Region)(), ctypes.c_uint32()
        self._library.ww_timed_regions(ctypes.byref(first), ctypes.byref(kept))
        found = []
        for number in range(min(kept.value, MOST_REGIONS)):
            region = first[number]
            found.append({
                "kind": "region",
                "name": self._names.get(region.offset, f"a parallel region at {region.offset:#x} of the extension"),
                "startUs": round((region.start_ns - start_ns) / 1000, 3),
                "durationUs": round((region.end_ns - region.start_ns) / 1000, 3),
                "threads": region.threads,
                "busyUs": round(region.busy_ns / 1000, 3),
                "longestUs": round(region.longest_ns / 1000, 3),
            })
        return found
