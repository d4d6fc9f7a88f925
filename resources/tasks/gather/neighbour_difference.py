# SPDX-License-Identifier: GPL-3.0-or-later
"""Point clouds: for each point the largest difference to its 16 neighbours in each channel, beside its own
features.
"""

import torch
from torch import nn

POINTS = 50_000
NEIGHBOURS = 16
CHANNELS = 96
SMALL = {"POINTS": 23, "NEIGHBOURS": 4, "CHANNELS": 5}


class Model(nn.Module):
    def forward(self, features: torch.Tensor, neighbours: torch.Tensor) -> torch.Tensor:
        away = features[neighbours] - features[:, None]
        return torch.cat([features, away.amax(dim=1)], dim=1)


def get_inputs():
    return [torch.randn(POINTS, CHANNELS), torch.randint(0, POINTS, (POINTS, NEIGHBOURS))]


def get_init_inputs():
    return []
