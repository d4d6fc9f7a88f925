// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/base/result.h"

#include <QString>

namespace warpwright {

/// Where a session writes down what happens, in the kinds and fields of TRAJECTORY.md. Number and time are
/// the recorder's. An event that append() accepted outlives this process; what it tells of is shown only
/// then.
class Recorder {
public:
    Recorder() = default;
    Recorder(const Recorder &) = delete;
    Recorder &operator=(const Recorder &) = delete;
    virtual ~Recorder() = default;

    /// `body`: the fields of that kind, an object.
    [[nodiscard]] virtual Result<void> append(const QString &kind, const Json &body) = 0;
};

/// Makes a recorder of anything that has such an append(): `RecorderOf<TrajectoryWriter>(writer)`.
template <typename Writer>
class RecorderOf : public Recorder {
public:
    explicit RecorderOf(Writer &writer) : m_writer(writer) {}
    [[nodiscard]] Result<void> append(const QString &kind, const Json &body) override {
        return m_writer.append(kind, body);
    }

private:
    Writer &m_writer;
};

} // namespace warpwright
