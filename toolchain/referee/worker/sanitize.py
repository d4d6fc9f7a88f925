# SPDX-License-Identifier: GPL-3.0-or-later
"""One forward of a candidate in a process of its own, for compute-sanitizer: python -I sanitize.py INPUTS RUN [DEVICE].

No worker of the judge: its arena would hide what is written beyond a tensor, so that each tensor here has its own
cudaMalloc (PYTORCH_NO_CUDA_MEMORY_CACHING=1). INPUTS is what the judge exported, RUN the compiled candidate's folder.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DONE = "warpwright: the forward is done"


def main(inputs, run, device="cuda:0"):
    # Standard output is the sanitizer's, all that is said here goes to standard error.
    os.dup2(2, 1)
    import torch

    sys.path.insert(0, HERE)
    from warpwright_exported import Exported

    sys.path.remove(HERE)
    exported = Exported(inputs, device)
    model = exported.candidate(run)
    arguments = exported.arguments()
    with torch.no_grad():
        model(*arguments)
        if exported.device.type == "cuda":
            torch.cuda.synchronize(exported.device)
    print(DONE, flush=True)
    # No destructors: what a library frees, or forgets to, is not asked.
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
