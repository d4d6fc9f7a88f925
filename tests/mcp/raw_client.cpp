// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/mcp/raw_client.h"

#include "tests/toolchain/places.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>

using namespace warpwright;

QString RawClient::python() {
    const QProcessEnvironment system = QProcessEnvironment::systemEnvironment();
    for (const QString &place :
         {system.value("WARPWRIGHT_ENV"),
          system.value("XDG_DATA_HOME", QDir::homePath() + "/.local/share") + "/warpwright/env"})
        if (!place.isEmpty() && QFileInfo(place + "/bin/python").isExecutable())
            return place + "/bin/python";
    return {};
}

QProcessEnvironment RawClient::environmentOf(const Scratch &scratch) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("XDG_CACHE_HOME", testState("/cache")); // what was compiled once
    environment.insert("XDG_CONFIG_HOME", scratch.path("config"));
    environment.insert("XDG_DATA_HOME", scratch.path("data"));
    environment.insert("WARPWRIGHT_RESOURCES", sourceFolder("/resources"));
    environment.insert("WARPWRIGHT_ENV", python().section('/', 0, -3));
    environment.insert("WARPWRIGHT_HEADERS", "0");
    environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
    environment.insert("FAKE_JUDGE", "intext");
    return environment;
}

RawClient::RawClient(const Scratch &scratch, const QString &root) {
    m_process.setProcessEnvironment(environmentOf(scratch));
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(wrightProgram(), {"mcp", "--root", root, "--device", "cpu"});
    if (!m_process.waitForStarted())
        qFatal("cannot start %s", qPrintable(wrightProgram()));
}

RawClient::~RawClient() {
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill();
        m_process.waitForFinished();
    }
}

void RawClient::sendLine(const QByteArray &line) {
    m_process.write(line + '\n');
}

void RawClient::send(const Json &message) {
    Json whole = message;
    whole["jsonrpc"] = "2.0";
    sendLine(dumpJson(whole));
}

/// The next message; nothing after two minutes, or with the server's end.
std::optional<Json> RawClient::next() {
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < 120'000) {
        if (const qsizetype end = m_pending.indexOf('\n'); end >= 0) {
            const Json message = parseJson(m_pending.left(end)).value();
            m_pending.remove(0, end + 1);
            return message;
        }
        m_process.waitForReadyRead(100);
        m_pending += m_process.readAllStandardOutput();
        if (m_process.state() == QProcess::NotRunning && !m_pending.contains('\n'))
            break;
    }
    return std::nullopt;
}

Json RawClient::answer(const Json &id) {
    while (const std::optional<Json> message = next()) {
        if (!message->contains("method") && message->value("id", Json()) == id)
            return *message;
        others.push_back(*message);
    }
    return {};
}

bool RawClient::waitForProgress(const QString &words) {
    while (const std::optional<Json> message = next()) {
        if (stringIn(*message, "method") == QLatin1String("notifications/progress") &&
            stringIn((*message)["params"], "message").startsWith(words))
            return true;
        others.push_back(*message);
    }
    return false;
}

Json RawClient::ask(const char *method, const Json &params) {
    const Json id(++m_last);
    send(Json{{"id", id}, {"method", method}, {"params", params}});
    return answer(id);
}

Json RawClient::call(const char *tool, const Json &arguments) {
    const Json answered = ask("tools/call", Json{{"name", tool}, {"arguments", arguments}});
    return answered.contains("result") ? answered["result"] : answered.value("error", Json());
}

void RawClient::shakeHands(const char *version, const char *name) {
    const Json answered = ask("initialize", Json{{"protocolVersion", version},
                                                 {"capabilities", Json::object()},
                                                 {"clientInfo", {{"name", name}, {"version", "1"}}}});
    if (!answered.contains("result"))
        qFatal("no handshake: %s", answered.dump().c_str());
    send(Json{{"method", "notifications/initialized"}});
}

bool RawClient::end() {
    m_process.closeWriteChannel();
    return m_process.waitForFinished(15'000) && m_process.exitStatus() == QProcess::NormalExit &&
           m_process.exitCode() == 0;
}
