// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/environment_proxy.h"

#include "agent/endpoints/model_profile.h"

#include <QHostAddress>

namespace warpwright {
namespace {

QString valueOf(const QProcessEnvironment &environment, const QString &name) {
    const QString small = environment.value(name.toLower()).trimmed();
    return small.isEmpty() ? environment.value(name).trimmed() : small;
}

/// "*", "example.com" and ".example.com" (with all below them), "10.0.0.0/8", with or without a port.
bool isExcepted(const QUrl &url, const QString &list) {
    const QString host = url.host().toLower();
    const QHostAddress address(host);
    for (QString entry : list.toLower().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        entry = entry.trimmed();
        if (entry == QLatin1String("*"))
            return true;
        if (entry.contains(QLatin1Char('/')) && !address.isNull()) {
            if (address.isInSubnet(QHostAddress::parseSubnet(entry)))
                return true;
            continue;
        }
        if (const qsizetype colon = entry.lastIndexOf(QLatin1Char(':'));
            colon > 0 && entry.count(QLatin1Char(':')) == 1) {
            if (entry.mid(colon + 1).toInt() != url.port(url.scheme() == QLatin1String("https") ? 443 : 80))
                continue;
            entry.truncate(colon);
        }
        if (entry.startsWith(QLatin1String("*.")))
            entry.remove(0, 1);
        const QString below = entry.startsWith(QLatin1Char('.')) ? entry : QLatin1Char('.') + entry;
        if (!entry.isEmpty() && (host == below.mid(1) || host.endsWith(below)))
            return true;
    }
    return false;
}

} // namespace

QNetworkProxy environmentProxy(const QUrl &url, const QProcessEnvironment &environment) {
    const QNetworkProxy none(QNetworkProxy::NoProxy);
    if (isLoopback(url.host()) || isExcepted(url, valueOf(environment, QStringLiteral("NO_PROXY"))))
        return none;
    QString text =
        valueOf(environment, url.scheme() == QLatin1String("https") ? QStringLiteral("HTTPS_PROXY")
                                                                    : QStringLiteral("HTTP_PROXY"));
    if (text.isEmpty())
        text = valueOf(environment, QStringLiteral("ALL_PROXY"));
    if (text.isEmpty())
        return none;
    if (!text.contains(QLatin1String("://")))
        text.prepend(QLatin1String("http://"));
    const QUrl proxy(text);
    if (proxy.host().isEmpty())
        return none;
    const bool isSocks = proxy.scheme().startsWith(QLatin1String("socks"));
    return QNetworkProxy(isSocks ? QNetworkProxy::Socks5Proxy : QNetworkProxy::HttpProxy, proxy.host(),
                         static_cast<quint16>(proxy.port(isSocks ? 1080 : 80)), proxy.userName(),
                         proxy.password());
}

} // namespace warpwright
