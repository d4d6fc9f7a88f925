# SPDX-License-Identifier: GPL-3.0-or-later
"""What memory an arm has: regions of the judge's that it maps, results that it holds, and an arena of its own."""

import ctypes
import gc
import os

from warpwright_values import Region

UNMAPPED_BYTES = 64 << 20  # smaller ones stay mapped: an address in them that a candidate has kept ends nobody's process


class ArmMemory:
    """The part of an Arm that has memory: its device, shim and sets are the Arm's."""

    def __init__(self):
        super().__init__()
        self._regions = {}
        self._held = []

    def do_map(self, descriptor, *, region, bytes, readOnly=False):
        if self._cuda:
            self._unmap(region)
            address = self._shim.library.ww_map_cuda(descriptor, bytes, self._device.index or 0)
            if address == 0:
                raise RuntimeError(self._shim.library.ww_problem().decode())
            self._regions[region] = Region.on_cuda(region, address, bytes, self._device)
        else:
            mapped = self._regions[region] = Region.on_cpu(region, descriptor, bytes, not readOnly)
            if readOnly:
                self._shim.library.ww_report_writes(ctypes.c_void_p(mapped.address), ctypes.c_uint64(bytes))
        os.close(descriptor)
        return {}

    def do_unmap(self, *, region):
        self._unmap(region)
        return {}

    def _unmap(self, region):
        """Its memory goes with the last mapping of it. (On a CPU, with the last tensor that lies there.)"""
        old = self._regions.pop(region, None)
        if region == "inputs":
            self._sets = []
        if old is not None and self._cuda and old.bytes >= UNMAPPED_BYTES:
            self._idle()
            self._shim.library.ww_unmap_cuda(old.address, old.bytes)

    def do_release(self, *, keep=0, last=0):
        """Lets the results of all calls but the last `keep` go, or those of the `last` ones alone."""
        if last:
            del self._held[-last:]
        else:
            del self._held[: len(self._held) - keep]
        gc.collect(1)  # the young: all of them take 20 ms
        self._shim.library.ww_reclaim()
        return {}

    def do_trim(self):
        """What torch frees stays in the arena, for its next tensors; this gives it back. What is held stays."""
        gc.collect(1)
        self._idle()
        return {"pieces": self._shim.trim()}
