// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/chat.h"
#include "agent/endpoints/endpoint_patience.h"
#include "agent/endpoints/endpoint_problem.h"
#include "agent/endpoints/model_profile.h"

#include <QObject>

#include <memory>

namespace warpwright {

/// One model behind one of the dialects: streams its answer to a conversation.
///
/// Each ask() ends in exactly one answered() or failed(), never before it has returned; after cancel() it is
/// failed(Cancelled), at once. What can be tried again is: first waiting() says for how long and why, and
/// what had come of the answer by then is void, for it begins anew. The key is in the one request's header
/// and nowhere else: in no message, no signal, no log. TLS is checked, proxies of the environment are used.
/// Lives in its caller's thread, which it never blocks.
class Endpoint : public QObject {
    Q_OBJECT
public:
    /// `key`: empty: none is sent.
    Endpoint(ModelProfile profile, QString key, const EndpointPatience &patience = {},
             QObject *parent = nullptr);
    ~Endpoint() override;

    [[nodiscard]] const ModelProfile &profile() const;
    /// One at a time.
    void ask(const ChatRequest &request);
    /// May be called at any time.
    void cancel();

signals:
    /// Pieces of the answer in their order; whole characters. The whole is in answered().
    void textArrived(const QString &piece);
    void thinkingArrived(const QString &piece);
    /// A call is being written: its name is known, of its arguments so many bytes have come.
    void callArrives(const QString &name, qint64 bytes);
    /// Another try is made after so many milliseconds; 0: now. The pieces so far are not of the answer.
    void waiting(const QString &why, int milliseconds);
    void answered(const warpwright::ChatReply &reply);
    void failed(const warpwright::EndpointProblem &problem);

private:
    class Talk;
    std::unique_ptr<Talk> m_talk;
};

} // namespace warpwright
