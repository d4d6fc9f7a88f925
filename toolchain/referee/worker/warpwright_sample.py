# SPDX-License-Identifier: GPL-3.0-or-later
"""The results of several calls, at a few places of each: what the judge holds those of timed calls against."""

import torch

from warpwright_values import encode, in_timed_form, tensors_in


def at_positions(tensor, positions):
    """The elements at these places, counted along the last dimension first; all of them where `positions` is None."""
    values = tensor.float() if tensor.dtype.itemsize == 1 and tensor.dtype.is_floating_point else tensor
    return values.reshape(-1) if positions is None else torch.take(values, positions)


class Sampling:
    """The part of an Arm that answers for many calls at once."""

    def do_sample(self, *, sets, clone, positions, whole):
        """Calls without TF32 over the input trees `sets`. Of each tensor of the results, in order, the elements at
        `positions` (a list, or None: all), one row a call; the first `whole` results also as they are."""
        self.phase = "forward"
        self._set_precision("strict")
        places = [None if each is None else torch.tensor(each, dtype=torch.int64, device=self._device) for each in positions]
        rows, kept = [[] for _ in places], []
        try:
            with torch.no_grad():
                for number, tree in enumerate(sets):
                    out = self._model(*self._arguments(tree, clone))
                    if number < whole:
                        kept.append(out)
                    leaves = tensors_in(in_timed_form(out, self._device.type == "cpu"))
                    if len(leaves) < len(places):
                        raise RuntimeError(f"the reference's result has {len(leaves)} tensors, and had {len(places)}")
                    for row, leaf, place in zip(rows, leaves, places):
                        row.append(at_positions(leaf, place))
                sampled = [torch.stack(row) for row in rows]
                self._idle()
        finally:
            self._set_precision("default")
        self._held.append([kept, sampled])
        return {
            "tensors": len(leaves),
            "sampled": encode(sampled, self._place_output),
            "outputs": [encode(in_timed_form(out, self._device.type == "cpu"), self._place_output) for out in kept],
        }
