# SPDX-License-Identifier: GPL-3.0-or-later
"""Post-norm of a deep network: the residual is amplified, the branch scaled per column, then layer norm over
the sum.
"""

import torch
from torch import nn

ROWS = 24_000
WIDTH = 2056
AMPLIFY = 1.8
SMALL = {"ROWS": 5, "WIDTH": 21}


class Model(nn.Module):
    def __init__(self, width: int, amplify: float):
        super().__init__()
        self.amplify = amplify
        self.gamma = nn.Parameter(1.0 + 0.3 * torch.randn(width))
        self.norm = nn.LayerNorm(width)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, x: torch.Tensor, branch: torch.Tensor) -> torch.Tensor:
        return self.norm(self.amplify * x + self.gamma * branch)


def get_inputs():
    return [torch.randn(ROWS, WIDTH), torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, AMPLIFY]
