// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/endpoint.h"
#include "agent/endpoints/key_store.h"

#include <QElapsedTimer>

#include <memory>
#include <optional>

namespace warpwright {

/// What one small call showed of a model.
struct EndpointTrialOutcome {
    bool works = false;     ///< an answer came, and it called the tool as it was asked to
    bool hasAnswer = false; ///< at least an answer came
    bool isStreamed = false;
    double firstPieceSeconds = 0;
    double seconds = 0;
    AgentUsage usage;
    QString line; ///< for people: what works, or what does not and what to do

    bool operator==(const EndpointTrialOutcome &) const = default;
};
[[nodiscard]] Json trialToJson(const EndpointTrialOutcome &outcome);

/// «Try it»: asks a model for one call of one tool, and says in one line what works.
class EndpointTrial : public QObject {
    Q_OBJECT
public:
    explicit EndpointTrial(ModelProfile profile, const EndpointPatience &patience = {},
                           QObject *parent = nullptr);
    ~EndpointTrial() override;

    /// Once. `key`: one that is not stored yet; empty: from where the profile says.
    void start(const std::optional<QString> &key = std::nullopt);
    /// Ends it at once, in finished().
    void cancel();

signals:
    void progress(const QString &words);
    void finished(const warpwright::EndpointTrialOutcome &outcome);

private:
    void ask(const QString &key);
    void judge(const ChatReply &reply);
    /// Ollama's own window is looked at, where it may be one; then the end.
    void askForWindow(const EndpointTrialOutcome &outcome);
    void end(EndpointTrialOutcome outcome);

    ModelProfile m_profile;
    EndpointPatience m_patience;
    KeyStore m_keys;
    std::unique_ptr<Endpoint> m_endpoint;
    QElapsedTimer m_clock;
    double m_firstPieceSeconds = -1;
    int m_pieces = 0;
    bool m_hasEnded = false;
};

} // namespace warpwright

Q_DECLARE_METATYPE(warpwright::EndpointTrialOutcome)
