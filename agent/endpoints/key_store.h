// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/model_profile.h"

#include <QObject>
#include <QProcessEnvironment>
#include <QTimer>

#include <functional>

namespace QKeychain {
class Job;
}

namespace warpwright {

/// Fetches keys from where a profile says that they are, and puts them into the desktop's keyring.
///
/// Each order ends in exactly one signal, never before it has returned; one order at a time. A keyring may
/// ask the person to unlock it first, which is waited for `limitMs`; then failed(). The key is in found()
/// alone.
class KeyStore : public QObject {
    Q_OBJECT
public:
    static constexpr int usualLimitMs = 90'000;

    explicit KeyStore(QProcessEnvironment environment = QProcessEnvironment::systemEnvironment(),
                      int limitMs = usualLimitMs, QObject *parent = nullptr);

    /// No source: found() with an empty one.
    void read(const KeySource &source);
    /// Into the keyring.
    void write(const QString &entry, const QString &key);
    /// Nothing to remove is fine.
    void remove(const QString &entry);

signals:
    void found(const QString &key);
    void stored();
    void removed();
    void failed(const QString &message);

private:
    /// Ends the order in a later turn of the loop, unless it has ended before.
    void end(const std::function<void()> &signal);
    void begin(const QString &entry, const QString &act);
    /// QtKeychain waits in this thread for a bus, without an end where one takes the call and is silent: a
    /// job starts once the bus has said a word, or where there is none to ask.
    void startOnBus(QKeychain::Job *job);

    QProcessEnvironment m_environment;
    QTimer m_limit;
    quint64 m_order = 0;
    bool m_isBusy = false;
};

} // namespace warpwright
