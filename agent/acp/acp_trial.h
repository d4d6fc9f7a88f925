// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_client.h"

#include <QTemporaryDir>

#include <memory>

namespace warpwright {

/// What greeting an external agent has shown.
struct AcpTrialOutcome {
    bool works = false;
    QString line; ///< for people: what works, or what does not and what to do

    bool operator==(const AcpTrialOutcome &) const = default;
};

/// «Try it»: starts an external agent in an empty folder, behind its wall, opens a session and ends it
/// again. It is asked nothing, so that nothing is used of what it costs.
///
/// start() ends in exactly one finished().
class AcpTrial : public QObject {
    Q_OBJECT
public:
    AcpTrial(AcpProfile profile, DataFolders folders, AcpPatience patience = {}, QObject *parent = nullptr);
    ~AcpTrial() override;

    /// Once.
    void start();
    /// Ends it at once, in finished().
    void cancel();

signals:
    void progress(const QString &words);
    void finished(const warpwright::AcpTrialOutcome &outcome);

private:
    struct Place {
        std::shared_ptr<QTemporaryDir> folder;
        AcpWall wall;
        QString whyNoWall; ///< empty: it stands, as far as is known
        QString program;   ///< where its command lies; empty: nowhere
    };
    [[nodiscard]] static Result<Place> prepare(const AcpProfile &profile, const DataFolders &folders);
    void take(const Result<Place> &place);
    void greet();
    void end(bool works, const QString &line);
    [[nodiscard]] QString facts() const;
    [[nodiscard]] QString wallWords() const;

    AcpProfile m_profile;
    DataFolders m_folders;
    AcpPatience m_patience;
    Place m_place;
    std::unique_ptr<AcpWallTrial> m_wallTrial;
    std::unique_ptr<AcpClient> m_client;
    bool m_hasEnded = false;
};

} // namespace warpwright

Q_DECLARE_METATYPE(warpwright::AcpTrialOutcome)
