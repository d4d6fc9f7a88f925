# SPDX-License-Identifier: GPL-3.0-or-later
from pathlib import Path

import numpy
import torch
from torch import nn

TABLE = numpy.load(Path(__file__).parents[1] / "tables" / "phases.npy")


class Sines(nn.Module):
    def __init__(self, rows, width):
        super().__init__()
        self.register_buffer("phases", torch.from_numpy(TABLE[:rows, :width].copy()))
        self.gain = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        return torch.sin(x + self.phases) * self.gain
