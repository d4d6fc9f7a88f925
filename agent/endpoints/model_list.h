// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/key_store.h"

#include <QStringList>

class QNetworkReply;

namespace warpwright {

/// Where the endpoint of this profile lists its models: its base URL and «/models».
[[nodiscard]] QString modelListUrl(const ModelProfile &profile);
/// The models' names out of its answer, sorted, each once; empty: it is no such list.
[[nodiscard]] QStringList modelNamesIn(const QByteArray &body);

/// Asks an endpoint which models it has, so that a person can choose one. Many servers have such a list and
/// some have none, so it never complains. The profile needs no model yet.
class ModelList : public QObject {
    Q_OBJECT
public:
    static constexpr int patienceMs = 5000; ///< a person is about to type the name

    explicit ModelList(ModelProfile profile, QObject *parent = nullptr);

    /// Once; ends in one finished(), after the key was read and at most patienceMs.
    void start();

signals:
    /// Empty: it does not say, or it could not be asked.
    void finished(const QStringList &models);

private:
    void ask(const QString &key);

    const ModelProfile m_profile;
    KeyStore m_keys;
};

} // namespace warpwright
