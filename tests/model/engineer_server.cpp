// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/engineer_server.h"

#include "tests/toolchain/places.h"

using namespace warpwright;

EngineerServer::EngineerServer(const QString &lesson, const QStringList &more) {
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.start(QStringLiteral("/usr/bin/python3"),
                    QStringList{QStringLiteral("-I"), sourceFolder("/tests/tools/engineer/engineer.py"),
                                QStringLiteral("--lesson"), lesson} +
                        more);
    while (m_process.waitForReadyRead(20'000)) {
        m_told += QString::fromUtf8(m_process.readAll());
        if (!m_told.contains(QLatin1Char('\n')))
            continue;
        m_port = m_told.section(QLatin1Char('\n'), 0, 0).section(QStringLiteral("listening on "), 1).toInt();
        break;
    }
}

EngineerServer::~EngineerServer() {
    kill();
}

void EngineerServer::kill() {
    m_process.kill();
    m_process.waitForFinished();
}

ModelProfile EngineerServer::profile(Dialect dialect) const {
    ModelProfile profile;
    profile.name = QStringLiteral("engineer");
    profile.dialect = dialect;
    profile.baseUrl = QStringLiteral("http://127.0.0.1:%1/v1").arg(m_port);
    profile.model = QStringLiteral("rules-1");
    profile.prices.in = 2;
    profile.prices.cached = 0.5;
    profile.prices.out = 10;
    return profile;
}

QString EngineerServer::told() {
    while (m_process.waitForReadyRead(0))
        m_told += QString::fromUtf8(m_process.readAll());
    return m_told += QString::fromUtf8(m_process.readAll());
}
