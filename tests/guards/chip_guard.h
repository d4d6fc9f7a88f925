// SPDX-License-Identifier: GPL-3.0-or-later
// Finds figures of a chip outside of the place where chips are described.
#pragma once

#include "tests/guards/allow_list.h"

namespace warpwright {

/// Of the playbook, but for agent/playbook/target, which reads resources/playbook/devices.
bool isWithoutChips(const QString &path);
/// Multiprocessors, registers and shared memory in figures, rates from 1e10 a second on, which only a whole
/// chip reaches, and constants whose comment says so ("... of an H100", "an H100's SMs"). Comments and
/// emitted texts may name any. A fault a file and how many figures it has ("agent/playbook/a.cpp figures 2";
/// one may be the same number and another quantity), and one for each such constant ("agent/playbook/a.cpp
/// launchBytes 1").
QVector<GuardFault> chipFaults(const QVector<GuardFile> &files);

} // namespace warpwright
