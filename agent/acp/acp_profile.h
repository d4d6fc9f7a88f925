// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/json.h"
#include "toolchain/result.h"

#include <QMap>
#include <QString>
#include <QStringList>

namespace warpwright {

/// An external agent as a person has set it up: the program that speaks the Agent Client Protocol on its
/// standard input and output.
struct AcpProfile {
    QString name;    ///< unique; [A-Za-z0-9._-]{1,64}
    QString command; ///< a name in PATH, or an absolute path
    QStringList arguments;
    QMap<QString, QString> environment; ///< beside ours

    Json unknown = Json::object(); ///< fields of a newer version, kept when it is stored

    bool operator==(const AcpProfile &) const = default;
};

[[nodiscard]] Json acpProfileToJson(const AcpProfile &profile);
[[nodiscard]] Result<AcpProfile> acpProfileFromJson(const Json &json);
/// What is wrong with it, for people; empty: nothing.
[[nodiscard]] QString whyBadProfile(const AcpProfile &profile);

} // namespace warpwright
