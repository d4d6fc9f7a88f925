// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/ollama_window.h"

#include "agent/endpoints/answer_reader.h"
#include "toolchain/base/figures.h"

#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QUrl>

namespace warpwright {
namespace {

constexpr int ollamaPort = 11434;
constexpr int patienceMs = 3000;
constexpr qint64 mostBytes = 1024 * 1024;

QString rootOf(const ModelProfile &profile) {
    QString base = profile.baseUrl;
    while (base.endsWith(QLatin1Char('/')))
        base.chop(1);
    return base.endsWith(QLatin1String("/v1")) ? base.chopped(3) : QString();
}

} // namespace

bool mayBeOllama(const ModelProfile &profile) {
    const QUrl url(profile.baseUrl);
    return profile.dialect == Dialect::OpenAiChat && !rootOf(profile).isEmpty() &&
           (isLoopback(url.host()) || url.port() == ollamaPort);
}

std::optional<qint64> ollamaWindowIn(const QByteArray &body, const QString &model) {
    const Result<Json> json = parseJson(body);
    if (!json.hasValue())
        return std::nullopt;
    const Json &models = partIn(json.value(), "models");
    if (!models.is_array())
        return std::nullopt;
    for (const Json &one : models) {
        const QString name = one.is_object() ? stringIn(one, "name") : QString();
        if (name != model && name != model + QStringLiteral(":latest"))
            continue;
        const qint64 tokens = countIn(one, "context_length");
        return tokens > 0 ? std::optional(tokens) : std::nullopt;
    }
    return std::nullopt;
}

QString smallOllamaWords(const ModelProfile &profile, qint64 window) {
    return QStringLiteral("But Ollama has loaded it with a window of %1 tokens, and cuts off without a word "
                          "what is longer; the profile says %2. Start the server with "
                          "OLLAMA_CONTEXT_LENGTH=%3, or set the model's context to %4.")
        .arg(numberText(static_cast<double>(window)), numberText(static_cast<double>(profile.contextTokens)))
        .arg(profile.contextTokens)
        .arg(window);
}

OllamaWindow::OllamaWindow(ModelProfile profile, QObject *parent)
    : QObject(parent), m_profile(std::move(profile)) {}

void OllamaWindow::start() {
    if (!mayBeOllama(m_profile)) {
        QMetaObject::invokeMethod(
            this, [this] { emit finished(std::nullopt); }, Qt::QueuedConnection);
        return;
    }
    auto *network = new QNetworkAccessManager(this);
    const QUrl url(rootOf(m_profile) + QStringLiteral("/api/ps"));
    if (isLoopback(url.host()))
        network->setProxy(QNetworkProxy::NoProxy);
    QNetworkRequest request(url);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setTransferTimeout(patienceMs);
    QNetworkReply *reply = network->get(request);
    connect(reply, &QNetworkReply::finished, this, [this, reply] { read(*reply); });
    connect(reply, &QNetworkReply::downloadProgress, reply, [reply](qint64 received) {
        if (received > mostBytes)
            reply->abort();
    });
}

void OllamaWindow::read(QNetworkReply &reply) {
    reply.deleteLater();
    const bool isOk = reply.error() == QNetworkReply::NoError;
    emit finished(isOk ? ollamaWindowIn(reply.read(mostBytes), m_profile.model) : std::nullopt);
}

} // namespace warpwright
