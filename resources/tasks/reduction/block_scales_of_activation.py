# SPDX-License-Identifier: GPL-3.0-or-later
"""Before a product in eight bits: activations in bfloat16 are smoothed by a factor for each column, then every block
of 128 in a row is scaled to the range of the small format. Scaled values and scales.
"""

import torch
from torch import nn

TOKENS = 12_000
BLOCKS = 33
BLOCK = 128
SMALL = {"TOKENS": 5, "BLOCKS": 3, "BLOCK": 8}


class Model(nn.Module):
    def __init__(self, width: int, block: int, largest: float):
        super().__init__()
        self.block = block
        self.largest = largest
        self.smoothing = nn.Parameter((0.3 + torch.rand(width)).to(torch.bfloat16))

    def forward(self, x: torch.Tensor):
        blocks = (x * self.smoothing).unflatten(-1, (-1, self.block))
        scale = blocks.abs().amax(dim=-1, keepdim=True).clamp(min=1e-4) / self.largest
        return (blocks / scale).flatten(-2), scale.squeeze(-1)


def get_inputs():
    spread = 0.2 + 2.0 * torch.rand(BLOCKS * BLOCK)
    return [(spread * torch.randn(TOKENS, BLOCKS * BLOCK)).to(torch.bfloat16)]


def get_init_inputs():
    return [BLOCKS * BLOCK, BLOCK, 448.0]
