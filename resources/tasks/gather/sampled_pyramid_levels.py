# SPDX-License-Identifier: GPL-3.0-or-later
"""Deformable attention of a detector: each query looks at a few places of its own in three sizes of a picture, between
pixels, and weighs them by a softmax over all of them.
"""

import torch
import torch.nn.functional as F
from torch import nn

MAPS = 48
CHANNELS = 32
HEIGHT = 92
WIDTH = 124
QUERIES = 1500
PLACES = 4
SMALL = {"MAPS": 2, "CHANNELS": 3, "HEIGHT": 8, "WIDTH": 12, "QUERIES": 7, "PLACES": 2}


class Model(nn.Module):
    def __init__(self, places: int):
        super().__init__()
        self.level_bias = nn.Parameter(torch.randn(3, places))

    def forward(self, fine: torch.Tensor, middle: torch.Tensor, coarse: torch.Tensor, places: torch.Tensor,
                scores: torch.Tensor) -> torch.Tensor:
        share = torch.softmax((scores + self.level_bias).flatten(2), dim=-1).view_as(scores)
        result = 0.0
        for level, picture in enumerate((fine, middle, coarse)):
            seen = F.grid_sample(picture, places[:, :, level], mode="bilinear", padding_mode="zeros",
                                 align_corners=False)
            result = result + (seen * share[:, None, :, level]).sum(dim=-1)
        return result.transpose(1, 2)


def get_inputs():
    pictures = [torch.randn(MAPS, CHANNELS, HEIGHT // part, WIDTH // part) for part in (1, 2, 4)]
    centre = 1.8 * torch.rand(MAPS, QUERIES, 1, 1, 2) - 0.9
    places = centre + 0.1 * torch.randn(MAPS, QUERIES, 3, PLACES, 2)
    return [*pictures, places, torch.randn(MAPS, QUERIES, 3, PLACES)]


def get_init_inputs():
    return [PLACES]
