# SPDX-License-Identifier: GPL-3.0-or-later
"""The blocks of a report of Nsight Compute: what is in it is known, and parts of it are cut out, without reading it whole.

The module `ncu_report` holds all that it read until its process ends, takes a cut report for one with fewer launches
(2025.3) or gives launches that hold nothing (2026.3), and reads nothing of a report whose end is missing (2025.3). So
large reports and cut ones are given to it in parts, each a small report of whole launches.

As extras/FileFormat of Nsight Compute 2025.3 describes it: "NVR" and a null, the size of the file's header and that
header (1: number of the format), then blocks: the size of a header, the header (1: sources in it, 2: launches in it, 3:
facts of the session, 4: names, counted on through all blocks, 5: bytes of what follows), then sources and launches, each
behind its size. A source begins with its number (1); a launch has the number of its source (15.1). Other forms (compressed reports) have no blocks here.
"""

import mmap
import os
import re

MAGIC = b"NVR\0"
COMPRESSED = b"\x28\xb5\x2f\xfd"
SOURCES, LAUNCHES, SESSION, NAMES, BYTES = 1, 2, 3, 4, 5


def varint(data, index):
    value = shift = 0
    while True:
        byte = data[index]
        index += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, index


def as_varint(value):
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)


def fields(data, index=0, end=None):
    """(number, begin, end, value) of each field of a protobuf message; the value is an integer, or None: it is bytes."""
    end = len(data) if end is None else end
    while index < end:
        begin = index
        key, index = varint(data, index)
        kind = key & 7
        value = None
        if kind == 0:
            value, index = varint(data, index)
            start = index
        elif kind == 2:
            size, start = varint(data, index)
            index = start + size
        elif kind in (1, 5):
            start = index
            index += 8 if kind == 1 else 4
        else:
            raise ValueError("no message of protobuf")
        if index > end:
            raise ValueError("a field is longer than its message")
        yield key >> 3, begin, (start, index), value


class Entry:
    """A source or a launch: its bytes in the file, its size's four before it included."""

    def __init__(self, data, begin, end, is_launch):
        self.begin, self.end = begin, end
        try:
            self.source = self._source_of_launch(data) if is_launch else self._first(data, begin + 4, end)
        except (ValueError, IndexError):
            self.source = None  # damaged: the module says what of it can be read

    @staticmethod
    def _first(data, begin, end):
        return next((value for number, _, _, value in fields(data, begin, end) if number == 1), None)

    def _source_of_launch(self, data):
        for number, _, (start, stop), _ in fields(data, self.begin + 4, self.end):
            if number == 15:
                return self._first(data, start, stop)
        return None


class Block:
    def __init__(self, data, begin, end, size):
        self.header = bytes(data[begin:end])
        self.sources, self.launches = [], []
        counts = {number: value for number, _, _, value in fields(self.header) if value is not None}
        self.wanted = counts.get(LAUNCHES, 0)
        self.has_facts = any(number in (SESSION, NAMES) and stop > start for number, _, (start, stop), _ in fields(self.header))
        self.bytes = counts.get(BYTES, 0)
        self.end = end + self.bytes
        index, kinds = end, [False] * counts.get(SOURCES, 0) + [True] * self.wanted
        for is_launch in kinds:
            stop = index + 4 + int.from_bytes(data[index : index + 4], "little")
            if stop > min(size, self.end):
                if self.end <= size:
                    raise ValueError("a launch is longer than its block")
                break  # cut within this block
            (self.launches if is_launch else self.sources).append(Entry(data, index, stop, is_launch))
            index = stop

    def kept(self, sources, launches):
        """The header for so many of both, and so many bytes."""
        values = {SOURCES: len(sources), LAUNCHES: len(launches), BYTES: sum(one.end - one.begin for one in sources + launches)}
        made = bytearray()
        for number, begin, (_, stop), value in fields(self.header):
            if number in values and value is not None:
                made += as_varint(number << 3) + as_varint(values.pop(number))
            else:
                made += self.header[begin:stop]
        return bytes(made)


class Report:
    """`launches` in their order, `missing` bytes at the end, `made` («2025.3.1», or empty) and `format` of the file.

    `broken`: the byte from which on its blocks do not fit together, else 0. Throws where the file has another form.
    """

    def __init__(self, path):
        self._path = path
        self.made, self.launches = "", []
        self._blocks, self.missing, self.broken = [], 0, 0
        size = os.path.getsize(path)
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if data[:4] != MAGIC:
                raise ValueError("it does not begin as one")
            index = 8 + int.from_bytes(data[4:8], "little")
            self._header = bytes(data[:index])
            self.format = next((value for number, _, _, value in fields(self._header, 8) if number == 1), 0)
            while index < size:
                start, begin = index, index + 4
                index = begin + int.from_bytes(data[index:begin], "little")
                if index > size:
                    break
                try:
                    block = Block(data, begin, index, size)
                except (ValueError, IndexError):
                    self.broken = start
                    return
                self._blocks.append(block)
                self.launches += block.launches
                index = block.end
                if not self.made:
                    found = re.search(rb"(\d{4}\.\d+\.\d+)\.\d+ \(build \d+\)", block.header)
                    self.made = found.group(1).decode() if found else ""
            self.missing = max(0, index - size)

    def write_part(self, path, launches):
        """A report that has these launches (of self.launches) alone, with the sources and names that they need."""
        chosen = {one.begin for one in launches}
        needed = {one.source for one in launches}
        with open(self._path, "rb") as file, open(path, "wb") as part:
            part.write(self._header)
            for block in self._blocks:
                # Whose source is not known may need any.
                sources = [one for one in block.sources if one.source is None or None in needed or one.source in needed]
                kept = [one for one in block.launches if one.begin in chosen]
                if not (block.has_facts or sources or kept):
                    continue
                header = block.kept(sources, kept)
                part.write(len(header).to_bytes(4, "little") + header)
                for one in sources + kept:
                    file.seek(one.begin)
                    part.write(file.read(one.end - one.begin))
