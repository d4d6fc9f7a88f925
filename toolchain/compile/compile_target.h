// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// For what the options of a tool are, whether or not there is a plan.
enum class TargetKind { Cpu, Cuda };

/// What the candidate is compiled for. `architecture` ("sm_90a") also holds for the .cu files of a Cpu build,
/// which are compiled for their resource report and not linked.
struct CompileTarget {
    TargetKind kind = TargetKind::Cpu;
    QString architecture;

    bool operator==(const CompileTarget &) const = default;
};

} // namespace warpwright
