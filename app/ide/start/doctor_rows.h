// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/setup/doctor.h"

namespace warpwright {

/// What the start page says of one thing, or of a group of things that are all in order.
struct DoctorRow {
    enum class Kind {
        InOrder,
        ToMend, ///< checks cannot work without it
        ToKnow, ///< optional
    };

    Kind kind = Kind::InOrder;
    QString name;          ///< "Compilers"
    QString text;          ///< "g++ 12.2.0, nvcc 13.0.88": of what is in order
    QString details;       ///< with versions and paths, a line each
    QString remark;        ///< "needed for checks"; of what is not in order
    QString message;       ///< what is the matter
    QString advice;        ///< what to do, in words
    QString command;       ///< the exact command that mends it
    bool isPython = false; ///< the set-up page mends it
    bool isJudge = false;  ///< which is not built, and may be while somebody reads it

    bool operator==(const DoctorRow &) const = default;
};

/// What has to be fixed first, then what is in order by groups, then what is optional.
[[nodiscard]] std::vector<DoctorRow> doctorRows(const std::vector<DoctorFinding> &findings);
/// "5 in order, 1 to fix, 2 to know".
[[nodiscard]] QString doctorSummary(const std::vector<DoctorRow> &rows);
/// All of it as plain text, to be sent to somebody.
[[nodiscard]] QString doctorReport(const std::vector<DoctorFinding> &findings);

} // namespace warpwright
