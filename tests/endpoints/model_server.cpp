// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/endpoints/model_server.h"

#include "tests/toolchain/places.h"

using namespace warpwright;

ModelServer::ModelServer(const Json &turns, const QStringList &tls) {
    QStringList arguments{sourceFolder("/tests/tools/model_server/model_server.py"), QStringLiteral("--log"),
                          logFile()};
    if (!turns.is_null())
        arguments << QStringLiteral("--turns")
                  << m_scratch.write(QStringLiteral("turns.json"), dumpJson(turns));
    if (!tls.isEmpty()) {
        arguments << QStringLiteral("--tls") << tls;
        m_scheme = QStringLiteral("https");
    }
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
    m_process.setProcessEnvironment(environment);
    m_process.start(QStringLiteral("python3"), arguments);
    while (!m_process.canReadLine() && m_process.waitForReadyRead(10'000)) {
    }
    m_port = m_process.readLine().trimmed().split(' ').value(1).toInt();
    if (m_port == 0)
        qFatal("the model server did not start: %s", qPrintable(m_process.errorString()));
}

ModelServer::~ModelServer() {
    m_process.closeWriteChannel();
    if (!m_process.waitForFinished(2000)) {
        m_process.kill();
        m_process.waitForFinished(2000);
    }
}

QString ModelServer::address(const QString &script) const {
    return QStringLiteral("%1://127.0.0.1:%2/%3/v1").arg(m_scheme).arg(m_port).arg(script);
}

ModelProfile ModelServer::profile(Dialect dialect, const QString &script) const {
    ModelProfile profile;
    profile.name = QStringLiteral("tested");
    profile.dialect = dialect;
    profile.baseUrl = address(script);
    profile.model = QStringLiteral("m");
    return profile;
}

std::vector<Json> ModelServer::requests() const {
    std::vector<Json> requests;
    for (const QByteArray &line : textOf(logFile()).split('\n'))
        if (!line.isEmpty())
            requests.push_back(Json::parse(line.begin(), line.end()));
    return requests;
}
