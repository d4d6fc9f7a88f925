# SPDX-License-Identifier: GPL-3.0-or-later
"""A detector learns its boxes by three terms: where the centre is, the ratio of sizes, and how much of both boxes
does not overlap; weighed, and a mean for each picture.
"""

import torch
import torch.nn.functional as F
from torch import nn

PICTURES = 128
BOXES = 30_000
SMALL = {"PICTURES": 3, "BOXES": 7}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.term_weight = nn.Parameter(torch.tensor([4.0, 1.0, 2.0]))

    def forward(self, found: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
        centre, size = found[..., :2], found[..., 2:]
        wanted_centre, wanted_size = wanted[..., :2], wanted[..., 2:]
        place = F.smooth_l1_loss(centre, wanted_centre, reduction="none", beta=0.1).sum(dim=-1)
        ratio = torch.log(size / wanted_size).abs().sum(dim=-1)
        least = torch.maximum(centre - 0.5 * size, wanted_centre - 0.5 * wanted_size)
        most = torch.minimum(centre + 0.5 * size, wanted_centre + 0.5 * wanted_size)
        both = (most - least).clamp(min=0.0).prod(dim=-1)
        overlap = both / (size.prod(dim=-1) + wanted_size.prod(dim=-1) - both)
        terms = torch.stack([place, ratio, 1.0 - overlap], dim=-1) * self.term_weight
        return terms.sum(dim=-1).mean(dim=1)


def get_inputs():
    wanted = torch.cat([torch.rand(PICTURES, BOXES, 2), 0.1 + 0.3 * torch.rand(PICTURES, BOXES, 2)], dim=-1)
    error = 0.02 + torch.rand(PICTURES, 1, 1)
    centre = wanted[..., :2] + 0.2 * error * torch.randn(PICTURES, BOXES, 2)
    size = wanted[..., 2:] * torch.exp(error * torch.randn(PICTURES, BOXES, 2))
    return [torch.cat([centre, size], dim=-1), wanted]


def get_init_inputs():
    return []
