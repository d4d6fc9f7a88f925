// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps decisions about kernels and their text apart.
#pragma once

#include "tests/guards/allow_list.h"

namespace warpwright {

/// Of the playbook's wings that decide, below codegen.
bool isDecision(const QString &path);
/// A fault for each file that writes code: how many raw literals it has, and literals with "__" or "#pragma"
/// or with a semicolon at their end.
QVector<GuardFault> writtenTextFaults(const QVector<GuardFile> &files);

/// Of codegen, but for what fills templates (template_fill) and for printers.
bool isCodegen(const QString &path);
/// A fault for each file that reads or patches a text: how often it names QRegularExpression and calls
/// indexOf or replace.
QVector<GuardFault> parsedTextFaults(const QVector<GuardFile> &files);

} // namespace warpwright
