# SPDX-License-Identifier: GPL-3.0-or-later
"""Every token asks all six experts; a softmax over their gates weighs the answers. One product for all
experts.
"""

import torch
from torch import nn

TOKENS = 20_000
WIDTH = 1024
OUTPUTS = 1024
EXPERTS = 6
SMALL = {"TOKENS": 5, "WIDTH": 10, "OUTPUTS": 8, "EXPERTS": 3}


class Model(nn.Module):
    def __init__(self, width: int, outputs: int, experts: int):
        super().__init__()
        self.gate = nn.Linear(width, experts)
        self.experts = nn.Parameter(torch.randn(experts, width, outputs) / width**0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        share = torch.softmax(2.0 * self.gate(x), dim=-1)
        answers = torch.relu(torch.einsum("tw,ewo->teo", x, self.experts))
        return torch.einsum("te,teo->to", share, answers)


def get_inputs():
    return [torch.randn(TOKENS, WIDTH)]


def get_init_inputs():
    return [WIDTH, OUTPUTS, EXPERTS]
