# SPDX-License-Identifier: GPL-3.0-or-later
"""One forward of a candidate in a process of its own, for compute-sanitizer: python -I sanitize.py INPUTS RUN [DEVICE].

No worker of the judge: its arena would hide what is written beyond a tensor, so that each tensor here has its own
cudaMalloc (PYTORCH_NO_CUDA_MEMORY_CACHING=1). INPUTS is what the judge exported, RUN the compiled candidate's folder.
"""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DONE = "warpwright: the forward is done"


def main(inputs, run, device="cuda:0"):
    # Standard output is the sanitizer's, all that is said here goes to standard error.
    os.dup2(2, 1)
    import torch

    sys.path.insert(0, HERE)
    from warpwright_files import import_file
    from warpwright_init import decode_init
    from warpwright_layout import extent_elements
    from warpwright_models import copied, seed_all
    from warpwright_values import DTYPES, decode

    sys.path.remove(HERE)
    device = torch.device(device)
    with open(os.path.join(inputs, "inputs.json")) as file:
        task = json.load(file)

    def reader(name):
        with open(os.path.join(inputs, name), "rb") as file:
            flat = torch.frombuffer(bytearray(file.read() or b"\0"), dtype=torch.uint8)

        def tensor(description):
            dtype = DTYPES[description["dtype"]]
            sizes, strides, offset = description["sizes"], description["strides"], description["offset"]
            extent = extent_elements(sizes, strides) * dtype.itemsize
            here = flat[offset : offset + extent].view(dtype)
            there = torch.device(description["device"]) if description["device"] == "cpu" else device
            return here.to(there, copy=True).as_strided(sizes, strides)

        return tensor

    sys.path.insert(0, run)
    import_file("cuda_extension", os.path.join(run, "cuda_extension.so"))
    module = import_file("model_new", os.path.join(run, "model_new.py"))
    positional, named = copied(decode_init(task["initInputs"]), lambda tensor: tensor.to(device))
    seed_all(task["seed"])
    model = module.ModelNew(*positional, **named).train(task.get("train", False)).to(device)
    state = reader("state.bin")
    model.load_state_dict({entry["name"]: state(entry) for entry in task["state"]})
    arguments = decode(task["arguments"], reader("inputs.bin"))
    with torch.no_grad():
        model(*arguments)
        if device.type == "cuda":
            torch.cuda.synchronize(device)
    print(DONE, flush=True)
    # No destructors: what a library frees, or forgets to, is not asked.
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
