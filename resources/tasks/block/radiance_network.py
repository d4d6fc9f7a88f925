# SPDX-License-Identifier: GPL-3.0-or-later
"""A radiance field: places become sines of many frequencies, five layers with a skip, density and colour as
two results.
"""

import torch
import torch.nn.functional as F
from torch import nn

POINTS = 1_200_000
FREQUENCIES = 10
WIDTH = 256
SMALL = {"POINTS": 9, "FREQUENCIES": 3, "WIDTH": 12}


class Model(nn.Module):
    def __init__(self, frequencies: int, width: int):
        super().__init__()
        self.register_buffer("frequency", 2.0 ** torch.arange(frequencies))
        given = 3 + 6 * frequencies
        self.first = nn.ModuleList([nn.Linear(given, width), nn.Linear(width, width)])
        self.second = nn.ModuleList([nn.Linear(width + given, width), nn.Linear(width, width)])
        self.density = nn.Linear(width, 1)
        self.colour = nn.Linear(width, 3)
        for layer in (*self.first, *self.second):
            nn.init.kaiming_normal_(layer.weight)

    def forward(self, places: torch.Tensor):
        angle = (places[:, :, None] * self.frequency).flatten(1)
        given = torch.cat([places, torch.sin(angle), torch.cos(angle)], dim=-1)
        h = given
        for layer in self.first:
            h = torch.relu(layer(h))
        h = torch.cat([h, given], dim=-1)
        for layer in self.second:
            h = torch.relu(layer(h))
        return F.softplus(self.density(h)).squeeze(-1), torch.sigmoid(self.colour(h))


def get_inputs():
    return [2.0 * torch.rand(POINTS, 3) - 1.0]


def get_init_inputs():
    return [FREQUENCIES, WIDTH]
