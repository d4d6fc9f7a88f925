# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries and keys are cut out of one joint projection, each head gets an RMS norm and a learned factor;
values pass by.
"""

import torch
from torch import nn

BATCH = 8
TOKENS = 2000
HEADS = 16
WIDTH = 80
SMALL = {"BATCH": 2, "TOKENS": 5, "HEADS": 3, "WIDTH": 8}


class Model(nn.Module):
    def __init__(self, heads: int, width: int):
        super().__init__()
        self.heads = heads
        self.query = nn.RMSNorm(width, eps=1e-6)
        self.key = nn.RMSNorm(width, eps=1e-6)
        nn.init.normal_(self.query.weight, 1.0, 0.2)
        nn.init.normal_(self.key.weight, 1.0, 0.2)

    def forward(self, joint: torch.Tensor):
        batch, tokens, _ = joint.shape
        query, key, value = joint.view(batch, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        return self.query(query), self.key(key), value.contiguous()


def get_inputs():
    return [torch.randn(BATCH, TOKENS, 3 * HEADS * WIDTH)]


def get_init_inputs():
    return [HEADS, WIDTH]
