// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/timeline/timeline.h"

namespace warpwright {

/// The timelines of one workspace on disk: <state>/timelines/<id>.json. Written whole or not at all, never
/// changed, never removed by us.
class TimelineStore {
public:
    explicit TimelineStore(const QString &stateFolder);

    /// Gives the timeline an id where it has none; says where it lies.
    [[nodiscard]] Result<QString> store(Timeline &timeline) const;
    /// The newest of this text; nothing: there is none that can be read.
    [[nodiscard]] std::optional<Timeline> latestOf(const QString &textHash) const;
    /// Where latestOf() has nothing though a document of this text lies there: why it cannot be read, as a
    /// sentence with its path. Empty: none lies there.
    [[nodiscard]] QString whyNotLatest(const QString &textHash) const;

private:
    /// The newest first.
    [[nodiscard]] QStringList pathsOf(const QString &textHash) const;

    QString m_folder;
};

} // namespace warpwright
