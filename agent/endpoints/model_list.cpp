// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/model_list.h"

#include "agent/endpoints/dialect.h"
#include "agent/endpoints/environment_proxy.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QUrl>

#include <algorithm>

namespace warpwright {
namespace {

constexpr qint64 mostBytes = 8 * 1024 * 1024; // OpenRouter's has half a million
constexpr qsizetype longestName = 200;

} // namespace

QString modelListUrl(const ModelProfile &profile) {
    QString base = profile.baseUrl;
    while (base.endsWith(QLatin1Char('/')))
        base.chop(1);
    return base + QStringLiteral("/models");
}

QStringList modelNamesIn(const QByteArray &body) {
    const Result<Json> json = parseJson(body);
    if (!json.hasValue())
        return {};
    const Json &all = json.value();
    const Json *list = &all; // some give the bare list
    for (const char *key : {"data", "models"})
        if (all.is_object() && all.contains(key))
            list = &all[key];
    if (!list->is_array())
        return {};
    QStringList names;
    for (const Json &one : *list) {
        if (!one.is_object())
            continue;
        const QString name = stringIn(one, "id", stringIn(one, "name"));
        const bool isWord = std::all_of(name.begin(), name.end(),
                                        [](QChar letter) { return letter.isPrint() && !letter.isSpace(); });
        if (!name.isEmpty() && name.size() <= longestName && isWord)
            names << name;
    }
    names.removeDuplicates();
    names.sort(Qt::CaseInsensitive);
    return names;
}

ModelList::ModelList(ModelProfile profile, QObject *parent) : QObject(parent), m_profile(std::move(profile)) {
    connect(&m_keys, &KeyStore::found, this, &ModelList::ask);
    connect(&m_keys, &KeyStore::failed, this, [this] { emit finished({}); });
}

void ModelList::start() {
    m_keys.read(m_profile.key);
}

void ModelList::ask(const QString &key) {
    auto *network = new QNetworkAccessManager(this);
    const QUrl url(modelListUrl(m_profile));
    network->setProxy(environmentProxy(url, QProcessEnvironment::systemEnvironment()));
    QNetworkRequest request(url);
    setHeaders(request, m_profile, key);
    request.setRawHeader("Accept", "application/json");
    // The key goes to nobody else.
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    QNetworkReply *reply = network->get(request);
    QTimer::singleShot(patienceMs, reply, &QNetworkReply::abort);
    connect(reply, &QNetworkReply::downloadProgress, reply, [reply](qint64 received) {
        if (received > mostBytes)
            reply->abort();
    });
    connect(reply, &QNetworkReply::finished, this, [this, reply] {
        reply->deleteLater();
        const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        const bool isOk = reply->error() == QNetworkReply::NoError && status == 200;
        emit finished(isOk ? modelNamesIn(reply->read(mostBytes)) : QStringList());
    });
}

} // namespace warpwright
