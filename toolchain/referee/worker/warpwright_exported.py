# SPDX-License-Identifier: GPL-3.0-or-later
"""A model and its arguments in a process of its own, from what the judge exported (input_export.h).

For tools that the client runs: sanitizers, counters, traces. No worker of the judge: nothing here is timed or judged.
"""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
try:
    from warpwright_files import import_file
    from warpwright_init import decode_init
    from warpwright_layout import extent_elements
    from warpwright_models import construct, copied, import_reference, init_inputs, seed_all
    from warpwright_values import DTYPES, decode
finally:
    sys.path.remove(HERE)

import torch


class Exported:
    """The folder that the judge exported to; `device`: where arguments and models are put."""

    def __init__(self, folder, device):
        self._folder = folder
        self.device = torch.device(device)
        with open(os.path.join(folder, "inputs.json")) as file:
            self._task = json.load(file)

    def _reader(self, name):
        with open(os.path.join(self._folder, name), "rb") as file:
            flat = torch.frombuffer(bytearray(file.read() or b"\0"), dtype=torch.uint8)

        def tensor(description):
            dtype = DTYPES[description["dtype"]]
            sizes, strides, offset = description["sizes"], description["strides"], description["offset"]
            extent = extent_elements(sizes, strides) * dtype.itemsize
            here = flat[offset : offset + extent].view(dtype)
            there = torch.device(description["device"]) if description["device"] == "cpu" else self.device
            return here.to(there, copy=True).as_strided(sizes, strides)

        return tensor

    def arguments(self):
        return decode(self._task["arguments"], self._reader("inputs.bin"))

    def candidate(self, run):
        """ModelNew of the compiled candidate in the folder `run`, with the exported parameters."""
        sys.path.insert(0, run)
        import_file("cuda_extension", os.path.join(run, "cuda_extension.so"))
        module = import_file("model_new", os.path.join(run, "model_new.py"))
        positional, named = copied(decode_init(self._task["initInputs"]), self._at_home)
        seed_all(self._task["seed"])
        return self._adopted(module.ModelNew(*positional, **named))

    def reference(self, path):
        """Model of the reference file, with the same parameters; made of its own get_init_inputs(), as the judge does."""
        module = import_reference(path)
        seed_all(self._task["seed"])
        model, _ = construct(module.Model, copied(init_inputs(module), self._at_home), self._task["seed"])
        return self._adopted(model)

    def _at_home(self, tensor):
        return tensor.to(self.device)

    def _adopted(self, model):
        model = model.train(self._task.get("train", False)).to(self.device)
        state = self._reader("state.bin")
        model.load_state_dict({entry["name"]: state(entry) for entry in self._task["state"]})
        return model
