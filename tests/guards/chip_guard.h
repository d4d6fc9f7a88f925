// SPDX-License-Identifier: GPL-3.0-or-later
// Finds figures of a chip outside of the place where chips are described.
#pragma once

#include "tests/guards/guard_file.h"

namespace warpwright {

/// Of the playbook, but for agent/playbook/target, which reads resources/playbook/devices.
bool isWithoutChips(const QString &path);
/// "path:line: what, and where it belongs": multiprocessors, registers and shared memory in figures, and
/// rates from 1e10 a second on, which only a whole chip reaches. Comments and emitted texts may name any.
QStringList chipComplaints(const QVector<GuardFile> &files);

} // namespace warpwright
