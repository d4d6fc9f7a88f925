// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// What one kernel takes of an SM, as `-Xptxas -v` tells.
struct KernelResources {
    QString name; ///< demangled: "softmaxRows<256>(float const*, float*, int)"
    QString mangled;
    QString arch; ///< "sm_90a"
    int registers = 0;
    int spillStoreBytes = 0;
    int spillLoadBytes = 0;
    int staticSharedBytes = 0;
    int stackBytes = 0;
    int constantBytes = 0; ///< bank 0: parameters
    int barriers = 0;
    /// The most threads of a block for which these registers suffice, 32 … 1024. A __launch_bounds__ may
    /// allow fewer: ptxas does not say.
    int maxThreads = 0;
    /// Of that: 0, none is written; nothing: the code was not looked at.
    std::optional<int> launchThreads;

    bool operator==(const KernelResources &) const = default;
};

/// Reads what ptxas printed, within whatever nvcc printed around it. A kernel of which only a part came is
/// given with that part.
[[nodiscard]] std::vector<KernelResources> parsePtxasReport(const QByteArray &text);

/// "softmaxRows<256>(…)" of "_Z11softmaxRows…"; the name itself when it is no mangled one.
[[nodiscard]] QString demangled(const QString &symbol);

} // namespace warpwright
