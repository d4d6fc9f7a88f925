# SPDX-License-Identifier: GPL-3.0-or-later
manual_seed = None
