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

/// How long a trial waits for each answer: a person sits before it.
struct AcpTrialPatience {
    int answerMs = 30'000;
    int quietMs = 5'000; ///< then it says what it waits for

    bool operator==(const AcpTrialPatience &) const = default;
};

/// «Try it»: starts an external agent in an empty folder, in its sandbox, opens a session and ends it
/// again. It is asked nothing, so that nothing is used of what it costs.
///
/// start() ends in exactly one finished().
class AcpTrial : public QObject {
    Q_OBJECT
public:
    AcpTrial(AcpProfile profile, DataFolders folders, AcpTrialPatience patience = {},
             QObject *parent = nullptr);
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
        AcpSandbox sandbox;
        QString whyNoSandbox; ///< empty: it stands, as far as is known
        QString program;      ///< where its command lies; empty: nowhere
    };
    [[nodiscard]] static Result<Place> prepare(const AcpProfile &profile, const DataFolders &folders);
    void take(const Result<Place> &place);
    void greet();
    void sayWhatIsAwaited();
    void end(bool works, const QString &line);
    [[nodiscard]] QString facts() const;
    [[nodiscard]] QString sandboxWords() const;

    AcpProfile m_profile;
    DataFolders m_folders;
    AcpTrialPatience m_patience;
    QTimer m_quiet;
    QString m_toldOf; ///< the request that it was said to wait for
    Place m_place;
    std::unique_ptr<AcpSandboxTrial> m_sandboxTrial;
    std::unique_ptr<AcpClient> m_client;
    bool m_hasEnded = false;
};

} // namespace warpwright

Q_DECLARE_METATYPE(warpwright::AcpTrialOutcome)
