// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/model_profile.h"
#include "tests/toolchain/scratch.h"

#include <QProcess>

#include <vector>

/// tests/tools/model_server as a process: a real server that plays answers by name.
class ModelServer {
public:
    /// `turns`: what the script «turns» plays; null: nothing.
    /// `tls`: files of a certificate and its key, and it speaks nothing but TLS.
    explicit ModelServer(const warpwright::Json &turns = {}, const QStringList &tls = {});
    ~ModelServer();
    ModelServer(const ModelServer &) = delete;
    ModelServer &operator=(const ModelServer &) = delete;

    /// A profile that is answered as `script` says ("status-429;retry-after=1").
    [[nodiscard]] warpwright::ModelProfile profile(warpwright::Dialect dialect, const QString &script) const;
    [[nodiscard]] QString address(const QString &script) const;
    /// All that it was asked so far: "path", "headers" (names), "body".
    [[nodiscard]] std::vector<warpwright::Json> requests() const;
    [[nodiscard]] int port() const { return m_port; }
    [[nodiscard]] QString logFile() const { return m_scratch.path(QStringLiteral("requests.jsonl")); }

private:
    Scratch m_scratch;
    QProcess m_process;
    QString m_scheme = QStringLiteral("http");
    int m_port = 0;
};
