# SPDX-License-Identifier: GPL-3.0-or-later
"""Forecasts of quantiles: too low and too high cost differently for each quantile; mean over the horizon."""

import torch
from torch import nn

SERIES = 40_000
HORIZON = 96
QUANTILES = 9
SMALL = {"SERIES": 5, "HORIZON": 7}


class Model(nn.Module):
    def __init__(self, quantiles: int):
        super().__init__()
        self.register_buffer("level", (torch.arange(quantiles) + 1.0) / (quantiles + 1.0))

    def forward(self, forecast: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
        error = truth[:, :, None] - forecast
        return torch.maximum(self.level * error, (self.level - 1.0) * error).mean(dim=1)


def get_inputs():
    return [torch.randn(SERIES, HORIZON, QUANTILES), torch.randn(SERIES, HORIZON)]


def get_init_inputs():
    return [QUANTILES]
