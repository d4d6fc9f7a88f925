// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/environment_authorities.h"

#include <QDir>
#include <QSslConfiguration>

namespace warpwright {

QList<QSslCertificate> environmentAuthorities(const QProcessEnvironment &environment) {
    const QString file = environment.value(QStringLiteral("SSL_CERT_FILE"));
    const QString folders = environment.value(QStringLiteral("SSL_CERT_DIR"));
    if (file.isEmpty() && folders.isEmpty())
        return {};
    QList<QSslCertificate> believed = QSslConfiguration::systemCaCertificates();
    if (!file.isEmpty())
        believed += QSslCertificate::fromPath(file);
    for (const QString &folder : folders.split(u':', Qt::SkipEmptyParts)) {
        const QDir dir(folder);
        for (const QString &name : dir.entryList(QDir::Files))
            believed += QSslCertificate::fromPath(dir.filePath(name));
    }
    return believed;
}

} // namespace warpwright
