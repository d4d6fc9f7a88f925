# SPDX-License-Identifier: GPL-3.0-or-later
print("0.001 us")
