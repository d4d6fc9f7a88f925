// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>

#include <optional>

namespace warpwright {

/// What somebody takes a device for, told to everybody who waits behind.
struct DeviceUse {
    QString what = QStringLiteral("measures"); ///< a verb: "certifies", "collects counters of"
    QString workspace;                         ///< its name
    bool isForWindow = false;                  ///< a person looks at a window for it
    QString owner; ///< the check that it is a part of: its later turns pass nobody a second time
    std::optional<double> expectedSeconds; ///< how long the device will be held, where that is known

    bool operator==(const DeviceUse &) const = default;
};

struct DeviceHolder {
    qint64 process = 0; ///< 0: unknown
    QString program;    ///< "wright"; empty: unknown
    DeviceUse use;
    QDateTime since; ///< invalid: unknown

    bool operator==(const DeviceHolder &) const = default;
};

/// One who waits for a device: where in the line, and for whom.
struct DeviceWait {
    int position = 1; ///< 1: whose turn is next
    QDateTime since;
    std::optional<DeviceHolder> holder;
    QString disorder = QString(); ///< why no order can be kept, in the system's words; empty: it is

    bool operator==(const DeviceWait &) const = default;
};

/// "0:43", "12:05", "1:02:03"
[[nodiscard]] QString clockText(double seconds);

/// "process 2761 certifies softmax · 2nd in line": what does not change by the second.
[[nodiscard]] QString waitStep(const DeviceWait &wait);
/// "0:43 · process 2761 certifies softmax, since 1:12, about 2:00 more · 2nd in line"
[[nodiscard]] QString waitText(const DeviceWait &wait, const QDateTime &now);

} // namespace warpwright
