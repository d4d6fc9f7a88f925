# SPDX-License-Identifier: GPL-3.0-or-later
"""Fast weights: an outer product is written into each sample's matrix, which then answers a query; both are
returned.
"""

import torch
from torch import nn

BATCH = 64
HEADS = 8
WIDTH = 256
SMALL = {"BATCH": 2, "HEADS": 2, "WIDTH": 6}


class Model(nn.Module):
    def __init__(self, heads: int):
        super().__init__()
        self.keep = nn.Parameter(0.5 + 0.4 * torch.rand(heads, 1, 1))

    def forward(self, weights: torch.Tensor, key: torch.Tensor, value: torch.Tensor, query: torch.Tensor):
        written = self.keep * weights + value[..., :, None] * key[..., None, :]
        return written, (written @ query[..., None]).squeeze(-1)


def get_inputs():
    vector = (BATCH, HEADS, WIDTH)
    return [torch.randn(BATCH, HEADS, WIDTH, WIDTH), torch.randn(vector), torch.randn(vector), torch.randn(vector)]


def get_init_inputs():
    return [HEADS]
