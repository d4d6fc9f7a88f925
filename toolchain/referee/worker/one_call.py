# SPDX-License-Identifier: GPL-3.0-or-later
"""One call of one arm for Nsight Compute: python -I one_call.py INPUTS ARM FILE [DEVICE].

ARM is candidate (FILE: the compiled candidate's folder), eager or compile (FILE: the reference). The arm is called
three times before, so that what only a first call does is not counted; then the profiler is switched on for one call.
Without a profiler around it this is a plain call: what the profiler costs is the difference.
"""

import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
DONE = "warpwright: the call is done"


def main(inputs, arm, file, device="cuda:0"):
    begin = time.monotonic()
    # Standard output is the profiler's, all that is said here goes to standard error.
    os.dup2(2, 1)
    import torch

    sys.path.insert(0, HERE)
    from warpwright_exported import Exported

    sys.path.remove(HERE)
    exported = Exported(inputs, device)
    model = exported.candidate(file) if arm == "candidate" else exported.reference(file)
    if arm == "compile":
        model = torch.compile(model)
    arguments = exported.arguments()
    on_gpu = exported.device.type == "cuda"
    with torch.no_grad():
        for _ in range(3):
            model(*arguments)
        if on_gpu:
            torch.cuda.synchronize(exported.device)
            torch.cuda.cudart().cudaProfilerStart()
        called = time.monotonic()
        model(*arguments)
        if on_gpu:
            torch.cuda.synchronize(exported.device)
            torch.cuda.cudart().cudaProfilerStop()
    now = time.monotonic()
    print(f"{DONE}: {called - begin:.3f} s before it, {now - called:.3f} s", flush=True)
    # No destructors: what a library frees, or forgets to, is not asked.
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
