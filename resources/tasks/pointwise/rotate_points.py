# SPDX-License-Identifier: GPL-3.0-or-later
"""Splatting and robotics: each point is turned by its own quaternion, which is made a unit one first, and
moved.
"""

import torch
import torch.nn.functional as F
from torch import nn

POINTS = 6_000_001
SMALL = {"POINTS": 57}


class Model(nn.Module):
    def forward(self, points: torch.Tensor, quaternions: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
        unit = F.normalize(quaternions, dim=-1)
        real, axis = unit[:, :1], unit[:, 1:]
        turned = 2.0 * torch.linalg.cross(axis, points, dim=-1)
        return points + real * turned + torch.linalg.cross(axis, turned, dim=-1) + offsets


def get_inputs():
    return [torch.randn(POINTS, 3), torch.randn(POINTS, 4), torch.randn(POINTS, 3)]


def get_init_inputs():
    return []
