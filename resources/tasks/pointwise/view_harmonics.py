# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaussian splatting: the colour of each splat as the camera sees it, by spherical harmonics of second degree of the
direction.
"""

import torch
import torch.nn.functional as F
from torch import nn

SPLATS = 1_200_007
SMALL = {"SPLATS": 11}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.camera = nn.Parameter(torch.tensor([0.3, -2.0, 1.2]))

    def forward(self, places: torch.Tensor, coefficients: torch.Tensor) -> torch.Tensor:
        x, y, z = F.normalize(places - self.camera, dim=-1).unbind(dim=-1)
        basis = torch.stack([
            torch.full_like(x, 0.28209479),
            -0.48860251 * y,
            0.48860251 * z,
            -0.48860251 * x,
            1.09254843 * x * y,
            -1.09254843 * y * z,
            0.31539157 * (2.0 * z * z - x * x - y * y),
            -1.09254843 * x * z,
            0.54627422 * (x * x - y * y),
        ], dim=-1)
        return (0.5 + (coefficients * basis[:, :, None]).sum(dim=1)).clamp(min=0.0)


def get_inputs():
    return [2.0 * torch.randn(SPLATS, 3), 0.6 * torch.randn(SPLATS, 9, 3)]


def get_init_inputs():
    return []
