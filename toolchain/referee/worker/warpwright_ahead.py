# SPDX-License-Identifier: GPL-3.0-or-later
"""torch.compile up to the first call, which is never made.

What it makes lies in its caches, where the arm that is timed finds it. In a first call the variants of a kernel are
tried out on the device: that is left to the arm, so that nothing stands beside it while it chooses.
"""

import torch


class Compiled(BaseException):
    """Ends the call in which a model is compiled before anything of it runs. As an Exception dynamo would take it for
    a fault of the compiler's."""


def compile_only(model, arguments, processes):
    """`processes`: how many compile kernels side by side. Returns whether the first graph was compiled to its end."""
    import torch._dynamo
    import torch._inductor.compile_fx as inductor

    _take_processes(processes)
    _refuse_benchmarks()
    whole = inductor.compile_fx
    ended = []

    def without_running(*positional, **named):
        whole(*positional, **named)
        ended.append(True)
        raise Compiled

    inductor.compile_fx = without_running
    try:
        with torch.no_grad():
            torch.compile(model)(*arguments)
    except Compiled:
        pass
    return bool(ended)


def _take_processes(count):
    import torch._inductor.async_compile as compilers
    import torch._inductor.config as config

    # What another version of torch does not have is no reason to compile nothing.
    pool = getattr(compilers, "AsyncCompile", None)
    if count > 1 and hasattr(pool, "warm_pool"):
        config.compile_threads = count
        pool.warm_pool()


def _refuse_benchmarks():
    """A graph whose compiler asks the device which of two ways is quicker is left to the arm as a whole."""
    try:
        from torch._inductor.runtime.benchmarking import benchmarker
    except ImportError:
        return

    def refuse(*_, **__):
        raise Compiled

    for name in ("benchmark", "benchmark_cpu", "benchmark_gpu", "benchmark_many_gpu"):
        if hasattr(benchmarker, name):
            setattr(benchmarker, name, refuse)
