# SPDX-License-Identifier: GPL-3.0-or-later

import cuda_extension
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x, scale):
        return cuda_extension.row_scale(x, scale)
