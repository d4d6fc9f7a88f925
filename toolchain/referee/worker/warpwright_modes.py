# SPDX-License-Identifier: GPL-3.0-or-later
"""Watching what torch's dispatcher is asked, without what torch imports for it."""

import sys

from torch.utils._python_dispatch import TorchDispatchMode


def dispatch_mode(watcher):
    """The class `watcher`, which has __torch_dispatch__, as a mode.

    torch imports its whole compiler for each such class, 1 to 3 seconds a process, to keep the compiler off it. Where
    nobody has imported that yet, there is nothing to keep off.
    """
    may_compile = "torch._dynamo" in sys.modules
    return type(watcher.__name__, (watcher, TorchDispatchMode), {
        "_should_skip_dynamo": classmethod(lambda cls: may_compile),
        "__torch_dispatch__": watcher.__torch_dispatch__,
    })
