// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/network_problem.h"

#include <QUrl>

namespace warpwright {

using Kind = EndpointProblem::Kind;

EndpointProblem problemOfNetwork(const ModelProfile &profile, QNetworkReply::NetworkError error,
                                 const QString &words) {
    const QUrl url(profile.baseUrl);
    const QString where = url.host() + (url.port() > 0 ? QStringLiteral(":%1").arg(url.port()) : QString());
    switch (error) {
    case QNetworkReply::HostNotFoundError:
        return problemOf(Kind::NoHost, profile,
                         QStringLiteral("the host \"%1\" is not known").arg(url.host()),
                         QStringLiteral("Check the address and the network"));
    case QNetworkReply::ConnectionRefusedError:
        return problemOf(Kind::NoNetwork, profile, QStringLiteral("nothing listens at %1").arg(where),
                         isLoopback(url.host()) ? QStringLiteral("Start the server, or correct its port")
                                                : QStringLiteral("Check the address"));
    case QNetworkReply::SslHandshakeFailedError:
        return problemOf(Kind::Tls, profile,
                         QStringLiteral("TLS failed:") + QStringLiteral(" \"%1\"").arg(words),
                         QStringLiteral("Check the address and this machine's clock and certificates; "
                                        "SSL_CERT_FILE names a file with those of a house's own"));
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyConnectionClosedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::ProxyTimeoutError:
    case QNetworkReply::ProxyAuthenticationRequiredError:
    case QNetworkReply::UnknownProxyError:
        return problemOf(Kind::Proxy, profile,
                         QStringLiteral("the proxy says") + QStringLiteral(" \"%1\"").arg(words),
                         QStringLiteral("Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY"));
    default:
        break;
    }
    if (words.contains(QLatin1String("TLS initialization failed"))) // Qt finds no OpenSSL
        return problemOf(Kind::Tls, profile, QStringLiteral("this machine lacks OpenSSL 3"),
                         QStringLiteral("Install libssl3 and ca-certificates"));
    return problemOf(Kind::NoNetwork, profile,
                     QStringLiteral("the connection failed:") + QStringLiteral(" \"%1\"").arg(words),
                     QStringLiteral("Check the network and try again"));
}

} // namespace warpwright
