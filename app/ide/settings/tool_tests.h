// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/settings.h"
#include "toolchain/environment/toolchain_probe.h"

namespace warpwright {

/// What a setting of the toolchain has led to, in one line, or why it leads nowhere with what to do.
struct ToolFinding {
    bool isGood = true;
    QString text;

    bool operator==(const ToolFinding &) const = default;
};

enum class ToolKind { Python, Cuda, Device, Architecture };

/// `toolchain`: as a probe with exactly these settings found it.
[[nodiscard]] ToolFinding toolFinding(ToolKind kind, const Toolchain &toolchain, const Settings &settings);

/// "sm_90", "sm_90a", "sm_100f"; empty is good, too: the device's.
[[nodiscard]] bool isArchitecture(const QString &word);

/// Flags in one line, as a shell would take them, and back.
[[nodiscard]] QString flagsText(const QStringList &flags);
[[nodiscard]] QStringList flagsFrom(const QString &text);

} // namespace warpwright
