// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <deque>
#include <functional>
#include <map>
#include <optional>

namespace warpwright {

/// What the other side answered to a request.
struct JsonRpcAnswer {
    Json result;  ///< of a request that went well
    int code = 0; ///< 0: it went well
    QString message;
    Json data = Json();

    [[nodiscard]] bool isError() const { return code != 0; }
};

/// One end of a conversation in JSON-RPC 2.0: requests and notifications in both directions. Knows nothing of
/// where the bytes come from and go to.
///
/// A message is a line, or stands behind a header with its length (Framing). What comes in is told in its
/// order; a long message is parsed in the pool while those behind it wait. What is no message is told, and
/// read over; one that is longer than mostLineBytes ends the reading.
class JsonRpc : public QObject {
    Q_OBJECT
public:
    using Answered = std::function<void(JsonRpcAnswer &answer)>;

    static constexpr qsizetype mostLineBytes = 32 * 1024 * 1024;
    static constexpr int parseError = -32700;
    static constexpr int invalidRequest = -32600;
    static constexpr int methodNotFound = -32601;
    static constexpr int invalidParams = -32602;
    static constexpr int internalError = -32603;

    enum class Framing {
        Lines,   ///< agents: a message a line
        Headers, ///< language servers: "Content-Length: N", an empty line, N bytes
    };

    using QObject::QObject;
    explicit JsonRpc(Framing framing, QObject *parent = nullptr);

    void take(const QByteArray &bytes);

    /// Gives the number that it has on the wire. `answered` is called once at most, never from in here.
    int request(const QString &method, const Json &params, Answered answered);
    void notify(const QString &method, const Json &params);
    /// `id`: as requested() gave it.
    void answer(const Json &id, const Json &result);
    void refuse(const Json &id, int code, const QString &message, const Json &data = Json());
    /// Nothing is heard of what was asked so far, and nothing more is read.
    void close();

signals:
    /// A message to write, with what frames it.
    void wrote(const QByteArray &line);
    void requested(const warpwright::Json &id, const QString &method, const warpwright::Json &params);
    void notified(const QString &method, const warpwright::Json &params);
    /// No message of JSON-RPC: what somebody printed. The beginning of it.
    void strayed(const QByteArray &line);
    void broken(const QString &why);

private:
    struct Line {
        QByteArray bytes;
        std::optional<Json> parsed; ///< null: it is no JSON. Empty: it is being parsed
        bool isAsked = false;
    };
    void cutLines();
    void cutFrames();
    void takeOut(qsizetype count);
    void workOff();
    void read(Line &line);
    void write(const Json &message);

    Framing m_framing = Framing::Lines;
    QByteArray m_pending; ///< a message that has no end yet
    qsizetype m_searched = 0;
    std::deque<Line> m_lines;
    bool m_isReading = false;
    bool m_isClosed = false;
    int m_lastRequest = -1;
    std::map<int, Answered> m_open;
};

} // namespace warpwright
