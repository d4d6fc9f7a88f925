// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/dialect.h"
#include "agent/endpoints/endpoint.h"
#include "agent/endpoints/retry_policy.h"
#include "agent/endpoints/sse_stream.h"

#include <QElapsedTimer>
#include <QNetworkAccessManager>
#include <QPointer>
#include <QSslCertificate>
#include <QTimer>
#include <QUrl>

#include <functional>
#include <memory>

namespace warpwright {

/// The course of one ask(): its tries, their clocks, and the bytes of the answer.
///
/// What bites: whoever hears a signal may cancel, ask again or delete the endpoint, so nothing of ours is
/// touched after an emit without looking whether it is still there, and the same ask().
class Endpoint::Talk : public QObject {
public:
    /// Of one answer, all of its bytes.
    static constexpr qint64 limitBytes = 32LL * 1024 * 1024;

    Talk(Endpoint &endpoint, ModelProfile profile, QString key, const EndpointPatience &patience);
    ~Talk() override;

    [[nodiscard]] const ModelProfile &profile() const { return m_profile; }
    void ask(const ChatRequest &request);
    void cancel();

private:
    void makeBody();
    void send();
    void post(const QUrl &url);
    /// Where the refusal sends us to, on the same host; the conversation goes nowhere else.
    [[nodiscard]] std::optional<QUrl> whereToGoOn(int status) const;
    void pump();
    void take(const QByteArray &bytes);
    void show(const std::vector<AnswerPiece> &pieces);
    void conclude();
    void concludeStream();
    void concludeRefusal(int status);
    void answer();
    /// Another try where the policy allows one; else the end.
    void stumble(EndpointProblem problem);
    void stumbleOverSize(const QString &what, qint64 limit);
    void tryAgainIn(int milliseconds, const QString &why);
    void fail(EndpointProblem problem);
    void dropReply();
    /// Lets the connection end by itself, so that the next request can use it.
    void releaseReply();
    void stopClocks();
    [[nodiscard]] int status() const;
    [[nodiscard]] bool isStream(const QByteArray &start) const;
    /// Whether an emit has left us as we were.
    [[nodiscard]] std::function<bool()> watch();

    Endpoint &m_endpoint;
    const ModelProfile m_profile;
    const QString m_key;
    const EndpointPatience m_patience;
    QNetworkAccessManager
        *m_network; ///< outlives us for a turn of the loop: it may be in the middle of a signal
    QTimer m_connectClock;
    QTimer m_silenceClock;
    QTimer m_wholeClock;
    QTimer m_pause;

    quint64 m_turn = 0; ///< which ask() it is; what comes late of an earlier one is passed over
    bool m_isAsking = false;
    ChatRequest m_request;
    Concessions m_concessions;                        ///< for as long as the endpoint lives
    std::optional<QList<QSslCertificate>> m_believed; ///< by the environment's word; empty: the system's
    QUrl m_moved;                                     ///< there for good, for as long as the endpoint lives
    int m_redirects = 0;                              ///< of this try
    QByteArray m_body;
    int m_tries = 0;
    bool m_hasAnswered = false;   ///< for as long as the endpoint lives
    QElapsedTimer m_failingSince; ///< of this ask(); invalid: no try has failed yet

    QPointer<QNetworkReply> m_reply;
    SseStream m_stream;
    std::unique_ptr<AnswerReader> m_reader;
    QByteArray m_whole; ///< what is no stream: an error, a page, an answer at once
    qint64 m_received = 0;
    bool m_isStream = false;
    bool m_isPumping = false; ///< a slice of the answer waits for its turn
};

} // namespace warpwright
