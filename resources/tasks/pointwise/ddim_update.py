# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of a DDIM sampler: each sample looks its noise level up, the clean image is estimated, clipped, and
noised less.
"""

import torch
from torch import nn

IMAGES = 40
CHANNELS = 4
SIZE = 384
STEPS = 1000
BOUND = 2.5
SMALL = {"IMAGES": 3, "SIZE": 9}


class Model(nn.Module):
    def __init__(self, steps: int, bound: float):
        super().__init__()
        self.bound = bound
        self.register_buffer("kept", torch.linspace(0.999, 0.05, steps))

    def forward(self, noisy: torch.Tensor, noise: torch.Tensor, step: torch.Tensor) -> torch.Tensor:
        now = self.kept[step].view(-1, 1, 1, 1)
        later = self.kept[step - 1].view(-1, 1, 1, 1)
        clean = (noisy - torch.sqrt(1.0 - now) * noise) / torch.sqrt(now)
        clean = clean.clamp(-self.bound, self.bound)
        return torch.sqrt(later) * clean + torch.sqrt(1.0 - later) * noise


def get_inputs():
    shape = (IMAGES, CHANNELS, SIZE, SIZE)
    return [torch.randn(shape), torch.randn(shape), torch.randint(1, STEPS, (IMAGES,))]


def get_init_inputs():
    return [STEPS, BOUND]
