# SPDX-License-Identifier: GPL-3.0-or-later
"""Weather radar: an LSTM whose products are convolutions, over 8 pictures; the last state is what is forecast
from.
"""

import torch
from torch import nn

STEPS = 8
BATCH = 48
CHANNELS = 16
HIDDEN = 48
SIZE = 64
SMALL = {"STEPS": 3, "BATCH": 2, "CHANNELS": 3, "HIDDEN": 4, "SIZE": 6}


class Model(nn.Module):
    def __init__(self, channels: int, hidden: int):
        super().__init__()
        self.hidden = hidden
        self.gates = nn.Conv2d(channels + hidden, 4 * hidden, kernel_size=3, padding=1)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        steps, batch, _, height, width = pictures.shape
        state = cell = pictures.new_zeros(batch, self.hidden, height, width)
        for step in range(steps):
            gates = self.gates(torch.cat([pictures[step], state], dim=1))
            take, keep, show, new = gates.chunk(4, dim=1)
            cell = torch.sigmoid(keep + 1.0) * cell + torch.sigmoid(take) * torch.tanh(new)
            state = torch.sigmoid(show) * torch.tanh(cell)
        return state


def get_inputs():
    return [2.0 * torch.randn(STEPS, BATCH, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, HIDDEN]
