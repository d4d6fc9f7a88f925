# SPDX-License-Identifier: GPL-3.0-or-later
raise SystemExit("this is no json")
