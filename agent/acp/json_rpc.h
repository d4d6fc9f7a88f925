// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/json.h"

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

/// One end of a conversation in JSON-RPC 2.0, one message a line: requests and notifications in both
/// directions. Knows nothing of where the bytes come from and go to.
///
/// What comes in is told in its order; a long line is parsed in the pool while those behind it wait. A line
/// that is no message is told, and read over; one that is longer than mostLineBytes ends the reading.
class JsonRpc : public QObject {
    Q_OBJECT
public:
    using Answered = std::function<void(const JsonRpcAnswer &answer)>;

    static constexpr qsizetype mostLineBytes = 32 * 1024 * 1024;
    static constexpr int parseError = -32700;
    static constexpr int invalidRequest = -32600;
    static constexpr int methodNotFound = -32601;
    static constexpr int invalidParams = -32602;
    static constexpr int internalError = -32603;

    using QObject::QObject;

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
    /// A line to write, with its end.
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
    void workOff();
    void read(const Line &line);
    void write(const Json &message);

    QByteArray m_pending; ///< a line that has no end yet
    qsizetype m_searched = 0;
    std::deque<Line> m_lines;
    bool m_isReading = false;
    bool m_isClosed = false;
    int m_lastRequest = -1;
    std::map<int, Answered> m_open;
};

} // namespace warpwright
