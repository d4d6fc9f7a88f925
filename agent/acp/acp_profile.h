// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/base/result.h"

#include <QMap>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace warpwright {

/// An external agent as a person has set it up: the program that speaks the Agent Client Protocol on its
/// standard input and output.
struct AcpProfile {
    QString name;    ///< unique; [A-Za-z0-9._-]{1,64}
    QString command; ///< a name in PATH, or an absolute path
    QStringList arguments;
    QMap<QString, QString> environment; ///< beside ours; "$OTHER": what that variable of ours holds

    Json unknown = Json::object(); ///< fields of a newer version, kept when it is stored

    bool operator==(const AcpProfile &) const = default;
};

[[nodiscard]] Json acpProfileToJson(const AcpProfile &profile);
[[nodiscard]] Result<AcpProfile> acpProfileFromJson(const Json &json);
/// What is wrong with it, for people; empty: nothing.
[[nodiscard]] QString whyBadProfile(const AcpProfile &profile);
/// Says which variable looks like a key that would lie in the file for everybody to read, and what to do
/// instead; never the value. Empty: none. Nothing new is stored with one; what is there already can be used.
[[nodiscard]] QString whyKeyIsInTheOpen(const AcpProfile &profile);
/// Its variables as they are handed over; an error where one is to come from a variable that is not set.
[[nodiscard]] Result<QMap<QString, QString>> environmentOf(const AcpProfile &profile,
                                                           const QProcessEnvironment &ours);

} // namespace warpwright
