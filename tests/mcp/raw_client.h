// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/toolchain/scratch.h"
#include "toolchain/base/json.h"

#include <QProcess>

#include <optional>
#include <vector>

/// A client of `wright mcp` that knows lines and nothing else.
class RawClient {
public:
    /// Starts it over `root`, with the folders of `scratch` for its own.
    RawClient(const Scratch &scratch, const QString &root);
    ~RawClient();

    /// The interpreter with torch; empty: there is none.
    [[nodiscard]] static QString python();
    /// With the fake judge, which reads times out of the kernels' text.
    [[nodiscard]] static QProcessEnvironment environmentOf(const Scratch &scratch);

    void send(const warpwright::Json &message);
    void sendLine(const QByteArray &line);
    /// The answer to the request of that id; null after two minutes. All else goes to `others`.
    [[nodiscard]] warpwright::Json answer(const warpwright::Json &id);
    /// Until a notice of progress begins with these words; false after two minutes, or with the server's end.
    [[nodiscard]] bool waitForProgress(const QString &words);
    /// A request without an era of its own, and its answer.
    [[nodiscard]] warpwright::Json ask(const char *method,
                                       const warpwright::Json &params = warpwright::Json::object());
    /// tools/call: the result, or the error.
    [[nodiscard]] warpwright::Json call(const char *tool, const warpwright::Json &arguments);
    void shakeHands(const char *version = "2025-11-25", const char *name = "raw");
    /// Ends its input; true when it ended by itself, with 0.
    [[nodiscard]] bool end();
    [[nodiscard]] qint64 processId() const { return m_process.processId(); }

    std::vector<warpwright::Json> others;

private:
    [[nodiscard]] std::optional<warpwright::Json> next();

    QProcess m_process;
    QByteArray m_pending;
    int m_last = 0;
};
