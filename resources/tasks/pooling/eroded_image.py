# SPDX-License-Identifier: GPL-3.0-or-later
"""Morphology: the smallest value in each 7 by 7 window, by the maximum of the negative; then what erosion took
away.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES = 64
HEIGHT = 640
WIDTH = 853
SMALL = {"IMAGES": 2, "HEIGHT": 11, "WIDTH": 13}


class Model(nn.Module):
    def forward(self, x: torch.Tensor):
        eroded = -F.max_pool2d(-x, 7, stride=1, padding=3)
        return eroded, x - eroded


def get_inputs():
    return [torch.randn(IMAGES, 1, HEIGHT, WIDTH)]


def get_init_inputs():
    return []
