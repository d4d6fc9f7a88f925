# SPDX-License-Identifier: GPL-3.0-or-later
import os

os._exit(0)
