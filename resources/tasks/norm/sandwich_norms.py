# SPDX-License-Identifier: GPL-3.0-or-later
"""Between two branches of a language model in bfloat16: the first branch's result gets an RMS norm, is added to the
stream, and the stream gets another for the second branch. Both are returned.
"""

import torch
import torch.nn.functional as F
from torch import nn

TOKENS = 16_000
WIDTH = 2304
SMALL = {"TOKENS": 5, "WIDTH": 18}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.after = nn.Parameter((0.4 * torch.randn(width)).to(torch.bfloat16))
        self.before = nn.Parameter((0.4 * torch.randn(width)).to(torch.bfloat16))

    def forward(self, branch: torch.Tensor, stream: torch.Tensor):
        sizes = branch.shape[-1:]
        stream = stream + F.rms_norm(branch, sizes, eps=1e-6) * (1.0 + self.after)
        return stream, F.rms_norm(stream, sizes, eps=1e-6) * (1.0 + self.before)


def get_inputs():
    branch = (0.1 + 3.0 * torch.rand(TOKENS, 1)) * torch.randn(TOKENS, WIDTH)
    return [branch.to(torch.bfloat16), (2.0 * torch.randn(TOKENS, WIDTH)).to(torch.bfloat16)]


def get_init_inputs():
    return [WIDTH]
