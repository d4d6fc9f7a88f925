# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a feed-forward block of a text encoder, in float16: back to the width of the model, residual, layer
norm.
"""

import torch
from torch import nn

TOKENS = 24_576
HIDDEN = 4096
WIDTH = 1024
SMALL = {"TOKENS": 5, "HIDDEN": 24, "WIDTH": 16}


class Model(nn.Module):
    def __init__(self, hidden: int, width: int):
        super().__init__()
        self.down = nn.Linear(hidden, width, dtype=torch.float16)
        self.norm = nn.LayerNorm(width, dtype=torch.float16)
        nn.init.normal_(self.down.weight, 0.0, hidden**-0.5)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, hidden: torch.Tensor, residual: torch.Tensor) -> torch.Tensor:
        return self.norm(self.down(hidden) + residual)


def get_inputs():
    return [torch.randn(TOKENS, HIDDEN).to(torch.float16), torch.randn(TOKENS, WIDTH).to(torch.float16)]


def get_init_inputs():
    return [HIDDEN, WIDTH]
