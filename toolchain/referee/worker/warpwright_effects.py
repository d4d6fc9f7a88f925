# SPDX-License-Identifier: GPL-3.0-or-later
"""What a call does beside what it returns: it may write into its arguments and into the model's own tensors.

Where the reference does, that is a result like any other, of every arm: each call gets the arguments that are written
anew, and leaves the model as it found it.
"""

import torch

from warpwright_layout import same_layout
from warpwright_values import Called, map_tensors


def state_name(model, name):
    """How a tensor of the state_dict is called where it is a result."""
    return f"parameter {name}" if isinstance(model.state_dict(keep_vars=True)[name], torch.nn.Parameter) else f"buffer {name}"


def is_result(name):
    """All but the count of calls that batch norm keeps, which mostly nothing reads: it is put back, and no result."""
    return not name.endswith("num_batches_tracked")


class WatchedCalls(torch.nn.Module):
    """A model as it is called where the reference has effects.

    `effects`: {arguments: {place among the tensors of the arguments: name}, state: [name in the state_dict]}.
    `plain`: the model whose tensors these are, where `model` is what a compiler made of it.
    """

    def __init__(self, model, plain, effects):
        super().__init__()
        self.model = model
        self._names = {int(place): name for place, name in effects["arguments"].items()}
        self._state = []
        for name in effects["state"]:
            path, _, key = name.rpartition(".")
            self._state.append((state_name(plain, name), plain.get_submodule(path), key))
        self.remember()

    def _tensors(self):
        # By name each time: a copy of another precision has others.
        return [module._buffers[key] if key in module._buffers else module._parameters[key] for _, module, key in self._state]

    def remember(self):
        """What the model holds now is what each call begins with."""
        self._first = [tensor.detach().clone() for tensor in self._tensors()]

    def forward(self, *arguments):
        out = Called({"": None})
        place = -1

        def renewed(tensor):
            nonlocal place
            place += 1
            name = self._names.get(place)
            if name is None:
                return tensor
            out[f"argument {name}"] = tensor = same_layout(tensor, torch.clone)
            return tensor

        arguments = map_tensors(arguments, renewed)
        try:
            out[""] = self.model(*arguments)
            for (name, _, _), tensor in zip(self._state, self._tensors()):
                if is_result(name):
                    out[name] = tensor.detach().clone()
        finally:
            if self._state:
                torch._foreach_copy_(self._tensors(), self._first)
        return out


def watched(model, plain, effects):
    """`model` itself where there is nothing to watch."""
    return WatchedCalls(model, plain, effects) if effects and (effects["arguments"] or effects["state"]) else model
