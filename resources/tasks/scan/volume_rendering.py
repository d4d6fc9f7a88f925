# SPDX-License-Identifier: GPL-3.0-or-later
"""Radiance fields: light that passes all samples before, by a product along the ray, weighs colours and
depths.
"""

import torch
import torch.nn.functional as F
from torch import nn

RAYS = 65_536
SAMPLES = 192
SMALL = {"RAYS": 6, "SAMPLES": 9}


class Model(nn.Module):
    def forward(self, density: torch.Tensor, colour: torch.Tensor, depth: torch.Tensor):
        stays = torch.exp(-0.05 * F.softplus(density))
        passed = torch.cumprod(stays, dim=-1)
        before = torch.cat([torch.ones_like(passed[:, :1]), passed[:, :-1]], dim=-1)
        weight = before * (1.0 - stays)
        return (weight[..., None] * colour).sum(dim=1), (weight * depth).sum(dim=1)


def get_inputs():
    return [torch.randn(RAYS, SAMPLES), torch.rand(RAYS, SAMPLES, 3), 2.0 + 4.0 * torch.rand(RAYS, SAMPLES)]


def get_init_inputs():
    return []
