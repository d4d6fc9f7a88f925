#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
python3 -m utils.compile
