# SPDX-License-Identifier: GPL-3.0-or-later
"""The three steps of CUDA-Agent's loop by the same calls of torch, for `wright bench loop`: what a turn costs elsewhere.

    peer_steps.py compile|verify|profile FOLDER DEVICE

Each is a process of its own, as there. compile builds everything anew with torch.utils.cpp_extension.load; verify
compares five times with torch.testing.assert_close (1e-2); profile takes torch.profiler over ten calls after five for
the reference, the reference under torch.compile, and the candidate. Without a GPU the CPU twins stand in. A workspace
that brings its own utils/ is measured by these instead, and this file is not used.
"""

import glob
import os
import shutil
import sys


def compile_all(folder, device):
    from torch.utils import cpp_extension

    sources = sorted(glob.glob(folder + "/*.cpp") + glob.glob(folder + "/kernels/*.cpp"))
    if device == "cuda":
        kernels = sorted(glob.glob(folder + "/*.cu") + glob.glob(folder + "/kernels/*.cu"))
        twins = {kernel[:-3] + ".cpp" for kernel in kernels}
        sources = [source for source in sources if source not in twins] + kernels
    build = folder + "/build/forced_compile"
    shutil.rmtree(build, ignore_errors=True)
    os.makedirs(build)
    cpp_extension.load(
        name="cuda_extension", sources=sources, build_directory=build,
        extra_cflags=["-O3", "-std=c++17"] + ([] if device == "cuda" else ["-DWARPWRIGHT_CPU", "-fopenmp"]),
        extra_cuda_cflags=["-O3", "--use_fast_math"] if device == "cuda" else None, extra_include_paths=[folder],
        with_cuda=device == "cuda", verbose=False,
    )
    shutil.copy(build + "/cuda_extension.so", folder + "/cuda_extension.so")


def models(folder, device):
    sys.path.insert(0, folder)
    import model
    import model_new
    import torch

    arguments = model.get_init_inputs()
    reference = model.Model(*arguments).eval().to(device)
    candidate = model_new.ModelNew(*arguments).eval().to(device)
    candidate.load_state_dict(reference.state_dict())

    def draw():
        return [value.to(device) if isinstance(value, torch.Tensor) else value for value in model.get_inputs()]

    return reference, candidate, draw


def verify(folder, device):
    import torch

    reference, candidate, draw = models(folder, device)
    with torch.no_grad():
        for _ in range(5):
            inputs = draw()
            torch.testing.assert_close(candidate(*inputs), reference(*inputs), atol=1e-2, rtol=1e-2)


def profile(folder, device):
    import torch
    from torch.profiler import ProfilerActivity

    reference, candidate, draw = models(folder, device)
    inputs = draw()
    activity = ProfilerActivity.CUDA if device == "cuda" else ProfilerActivity.CPU
    with torch.no_grad():
        for arm in (reference, torch.compile(reference), candidate):
            for _ in range(5):
                arm(*inputs)
            if device == "cuda":
                torch.cuda.synchronize()
            with torch.profiler.profile(activities=[activity]) as record:
                for _ in range(10):
                    arm(*inputs)
                if device == "cuda":
                    torch.cuda.synchronize()
            sum(getattr(event, "device_time" if device == "cuda" else "cpu_time", 0) for event in record.events())


if __name__ == "__main__":
    {"compile": compile_all, "verify": verify, "profile": profile}[sys.argv[1]](os.path.abspath(sys.argv[2]), sys.argv[3])
