# SPDX-License-Identifier: GPL-3.0-or-later
"""A memory that corrects itself: at each step it is asked with a key, and what it got wrong is written back in
part.
"""

import torch
import torch.nn.functional as F
from torch import nn

STEPS = 96
BATCH = 4
HEADS = 16
WIDTH = 96
SMALL = {"STEPS": 5, "BATCH": 2, "HEADS": 2, "WIDTH": 5}


class Model(nn.Module):
    def __init__(self, heads: int):
        super().__init__()
        self.rate = nn.Parameter(torch.randn(heads, 1))

    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        rate = torch.sigmoid(self.rate)
        key = F.normalize(key, dim=-1)
        memory = value.new_zeros(*value.shape[1:], value.shape[-1])
        out = []
        for step in range(query.shape[0]):
            known = (memory @ key[step, ..., None]).squeeze(-1)
            missing = rate * (value[step] - known)
            memory = memory + missing[..., :, None] * key[step, ..., None, :]
            out.append((memory @ query[step, ..., None]).squeeze(-1))
        return torch.stack(out)


def get_inputs():
    shape = (STEPS, BATCH, HEADS, WIDTH)
    return [torch.randn(shape), torch.randn(shape), torch.randn(shape)]


def get_init_inputs():
    return [HEADS]
