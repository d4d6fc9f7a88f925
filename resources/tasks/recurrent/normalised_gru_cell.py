# SPDX-License-Identifier: GPL-3.0-or-later
"""World models: a GRU cell with one product for all gates and layer norm over them, unrolled for 48 steps of
actions.
"""

import torch
from torch import nn

STEPS = 48
BATCH = 200
WIDTH = 256
HIDDEN = 512
SMALL = {"STEPS": 4, "BATCH": 3, "WIDTH": 6, "HIDDEN": 8}


class Model(nn.Module):
    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.joint = nn.Linear(width + hidden, 3 * hidden, bias=False)
        self.norm = nn.LayerNorm(3 * hidden)
        nn.init.normal_(self.norm.weight, 1.0, 0.2)
        nn.init.normal_(self.norm.bias, 0.0, 0.3)

    def forward(self, actions: torch.Tensor, state: torch.Tensor) -> torch.Tensor:
        states = []
        for action in actions.unbind(dim=0):
            gates = self.norm(self.joint(torch.cat([action, state], dim=-1)))
            reset, new, update = gates.chunk(3, dim=-1)
            share = torch.sigmoid(update - 1.0)
            state = share * torch.tanh(torch.sigmoid(reset) * new) + (1.0 - share) * state
            states.append(state)
        return torch.stack(states)


def get_inputs():
    return [torch.randn(STEPS, BATCH, WIDTH), torch.randn(BATCH, HIDDEN)]


def get_init_inputs():
    return [WIDTH, HIDDEN]
