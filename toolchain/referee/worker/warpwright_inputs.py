# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of an arm that draws inputs, writes them where every arm reads them, and makes arguments of them."""

import torch

from warpwright_draws import CpuDraw, may_serve_on_cpu
from warpwright_fixed_inputs import check_form, form_of, nearly_same, other_values, seeds_left_out
from warpwright_layout import aligned, same_layout, write
from warpwright_models import inputs_of, seed_all
from warpwright_structure import may_trade, with_parts
from warpwright_values import Planner, decode, encode, tensors_in


class Inputs:
    """Needs of its owner: `_module`, `_device`, `_cuda`, `_double`, `_regions`, `_idle()`."""

    def __init__(self):
        super().__init__()
        self._form = None  # of the first draw
        self._cpu_draw = None  # where only a CPU can make them
        self._varied = {}, (), False  # see do_vary_inputs

    def _draw(self, seed, vary=""):
        """get_inputs(), from `seed`; None: from wherever the generators are.
        `vary`, where every draw is the same: "seeds": those that it fixes are left out; "values": they are changed here."""
        if vary == "seeds":
            seed_all(seed)  # before nobody can
            with seeds_left_out():
                return self._draw(None)
        if vary == "values":
            return other_values(self._draw(seed), seed)
        self.phase = "get_inputs"
        if self._cpu_draw is not None:
            return self._cpu_draw.another(seed)
        if seed is not None:
            seed_all(seed)
        inputs = None
        try:
            with torch.device(self._device):
                inputs = inputs_of(self._module)
        except Exception as error:
            # Some get_inputs() cannot run under a default device, and some take there more than the device has.
            if not self._cuda or not may_serve_on_cpu(error):
                raise
        if inputs is None:  # not in the handler: there the error holds what was made so far
            if seed is not None:
                seed_all(seed)
            inputs = inputs_of(self._module)
        if self._cuda and CpuDraw.serves(inputs):
            self._cpu_draw = CpuDraw(list(inputs), self._device)
        return inputs

    def do_describe_inputs(self, *, seed):
        inputs = self._draw(seed)
        self._form = form_of(inputs)
        planner = Planner("inputs", 0, inputs)
        return {"inputs": encode(inputs, planner.place), "bytes": aligned(planner.end)}

    def do_may_trade_rows(self, *, sets):
        """Whether a row of one of these sets, which were drawn each by itself, may stand in its place in another one."""
        return {"may": may_trade([tensors_in(self._arguments(tree, clone=False)) for tree in sets])}

    def do_draw_inputs(self, *, seed, offset, count, step, vary="", nearly=False):
        """`count` sets of inputs one after the other from one seed, the first at `offset`, each `step` bytes further.
        `nearly`: those that this seed gave before, but for a few numbers."""
        seeds = [seed + number if vary or not number else None for number in range(count)]
        def change(inputs, each):
            inputs = nearly_same(inputs, each) if nearly else inputs
            return with_parts(inputs, seed, *self._varied) if any(self._varied[:2]) else inputs

        sets = [self._written(change(self._draw(each, vary), each), offset + number * step) for number, each in enumerate(seeds)]
        self._idle()
        return {"sets": sets}

    def do_vary_inputs(self, *, factors, constants, few=False):
        """From now on tensors are drawn so, by their places: `factors`: times that; `constants`: others, where every draw
        gives the same."""
        self._varied = factors, constants, few
        return {}

    def _written(self, inputs, offset):
        self._form = self._form or form_of(inputs)
        check_form(self._form, form_of(inputs))
        planner = Planner("inputs", offset, inputs)
        region = self._regions["inputs"]

        def fits():
            if planner.end > region.bytes:
                raise ValueError("get_inputs() returns more bytes than at its first call")

        fits()
        for memory in planner.shared:
            # Gaps are nobody's: a number read there shows, an index read there does no harm.
            region.fill(memory["offset"], memory["bytes"], 0xFF if memory["isFloat"] else 0)

        def place_and_write(tensor):
            place = planner.place(tensor)
            place["device"] = self._device.type
            fits()
            write(region.tensor(place), tensor)
            return place

        return encode(inputs, place_and_write)

    def _arguments(self, tree, clone):
        region = self._regions["inputs"]

        def make(description):
            tensor = region.tensor(description)
            if self._double and tensor.dtype.is_floating_point:
                return same_layout(tensor, lambda own: own.to(torch.float64, copy=clone))
            if self._double and tensor.dtype.is_complex:
                return same_layout(tensor, lambda own: own.to(torch.complex128, copy=clone))
            return same_layout(tensor, torch.clone) if clone else tensor

        return decode(tree, make)
