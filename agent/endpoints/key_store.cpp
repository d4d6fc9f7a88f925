// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/key_store.h"

#include <QLocalSocket>

#include <qt6keychain/keychain.h>
#include <unistd.h>

namespace warpwright {
namespace {

const QString service = QStringLiteral("Warpwright");

QString otherWay() {
    return QStringLiteral("or keep the key in an environment variable and name that in the model's settings");
}

/// What QtKeychain's codes mean to a person.
QString reasonOf(const QKeychain::Job &job) {
    switch (job.error()) {
    case QKeychain::EntryNotFound:
        return QStringLiteral("it has no such entry. Put the key in with wright models key, or in Settings > "
                              "Models");
    case QKeychain::AccessDenied:
    case QKeychain::AccessDeniedByUser:
        return QStringLiteral("it stays locked. Unlock it and try again, ") + otherWay();
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented:
        return QStringLiteral("no keyring runs here. Start GNOME Keyring or KWallet, ") + otherWay();
    case QKeychain::NoError:
    case QKeychain::CouldNotDeleteEntry:
    case QKeychain::OtherError:
        break;
    }
    // Without a bus or a service the library gives its words alone.
    return QStringLiteral("\"%1\". Start and unlock GNOME Keyring or KWallet, ").arg(job.errorString()) +
           otherWay();
}

QString cannot(const QString &act, const QString &entry, const QString &reason) {
    return QStringLiteral("Cannot %1 the key \"%2\" in the keyring: %3.").arg(act, entry, reason);
}

/// The session bus's socket; empty where it is none with a path.
QString busSocket() {
    const QByteArray address = qgetenv("DBUS_SESSION_BUS_ADDRESS");
    if (address.isEmpty())
        return qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"); // what libdbus does
    const QByteArray start = QByteArrayLiteral("unix:path=");
    if (!address.startsWith(start))
        return {};
    const QByteArray path = address.mid(start.size()).split(';').constFirst().split(',').constFirst();
    return QString::fromUtf8(QByteArray::fromPercentEncoding(path));
}

} // namespace

KeyStore::KeyStore(QProcessEnvironment environment, int limitMs, QObject *parent)
    : QObject(parent), m_environment(std::move(environment)) {
    m_limit.setSingleShot(true);
    m_limit.setInterval(limitMs);
}

void KeyStore::begin(const QString &entry, const QString &act) {
    Q_ASSERT(!m_isBusy);
    m_isBusy = true;
    ++m_order;
    m_limit.disconnect();
    connect(&m_limit, &QTimer::timeout, this, [this, entry, act] {
        end([this, entry, act] {
            emit failed(cannot(act, entry,
                               QStringLiteral("it did not answer within %1 s. Unlock it and try again, ")
                                       .arg(m_limit.interval() / 1000) +
                                   otherWay()));
        });
    });
    m_limit.start();
}

void KeyStore::end(const std::function<void()> &signal) {
    m_limit.stop();
    ++m_order; // what comes late is passed over
    QMetaObject::invokeMethod(
        this,
        [this, signal] {
            m_isBusy = false;
            signal();
        },
        Qt::QueuedConnection);
}

void KeyStore::startOnBus(QKeychain::Job *job) {
    const QString path = busSocket();
    if (path.isEmpty()) {
        job->start();
        return;
    }
    auto *socket = new QLocalSocket(this);
    job->setParent(socket); // goes with it where nobody answers
    const auto start = [this, socket, job, order = m_order] {
        socket->disconnect(this);
        socket->deleteLater();
        if (order != m_order)
            return;
        job->setParent(nullptr); // deletes itself when it has ended
        job->start();
    };
    connect(socket, &QLocalSocket::connected, this, [socket] {
        // How every client begins; yes or no, a bus that lives answers.
        socket->write(QByteArray(1, '\0') + "AUTH EXTERNAL " + QByteArray::number(getuid()).toHex() + "\r\n");
    });
    connect(socket, &QLocalSocket::readyRead, this, start);
    connect(socket, &QLocalSocket::errorOccurred, this, start); // the job says why
    socket->connectToServer(path);
}

void KeyStore::read(const KeySource &source) {
    begin(source.name, QStringLiteral("read"));
    if (source.kind == KeySource::Kind::None) {
        end([this] { emit found({}); });
        return;
    }
    if (source.kind == KeySource::Kind::Environment) {
        const QString key = m_environment.value(source.name).trimmed();
        if (key.isEmpty())
            end([this, name = source.name] {
                emit failed(
                    QStringLiteral("Cannot read a key from the environment variable %1: it is %2. Set "
                                   "it before starting, or choose another place for the key.")
                        .arg(name, m_environment.contains(name) ? QStringLiteral("empty")
                                                                : QStringLiteral("not set")));
            });
        else
            end([this, key] { emit found(key); });
        return;
    }
    auto *job = new QKeychain::ReadPasswordJob(service);
    job->setKey(source.name);
    connect(job, &QKeychain::Job::finished, this, [this, job, order = m_order, name = source.name] {
        if (order != m_order)
            return;
        const QString key = job->textData().trimmed();
        if (job->error() != QKeychain::NoError)
            end([this, message = cannot(QStringLiteral("read"), name, reasonOf(*job))] {
                emit failed(message);
            });
        else if (key.isEmpty())
            end([this,
                 message = cannot(QStringLiteral("read"), name,
                                  QStringLiteral("it is empty. Put it in again with wright models key, or "
                                                 "in Settings > Models"))] { emit failed(message); });
        else
            end([this, key] { emit found(key); });
    });
    startOnBus(job);
}

void KeyStore::write(const QString &entry, const QString &key) {
    begin(entry, QStringLiteral("store"));
    if (key.trimmed().isEmpty()) {
        end([this, entry] {
            emit failed(
                cannot(QStringLiteral("store"), entry, QStringLiteral("it is empty. Give the key itself")));
        });
        return;
    }
    auto *job = new QKeychain::WritePasswordJob(service);
    job->setKey(entry);
    job->setTextData(key.trimmed());
    connect(job, &QKeychain::Job::finished, this, [this, job, order = m_order, entry] {
        if (order != m_order)
            return;
        if (job->error() == QKeychain::NoError)
            end([this] { emit stored(); });
        else
            end([this, message = cannot(QStringLiteral("store"), entry, reasonOf(*job))] {
                emit failed(message);
            });
    });
    startOnBus(job);
}

void KeyStore::remove(const QString &entry) {
    begin(entry, QStringLiteral("remove"));
    auto *job = new QKeychain::DeletePasswordJob(service);
    job->setKey(entry);
    connect(job, &QKeychain::Job::finished, this, [this, job, order = m_order, entry] {
        if (order != m_order)
            return;
        if (job->error() == QKeychain::NoError || job->error() == QKeychain::EntryNotFound)
            end([this] { emit removed(); });
        else
            end([this, message = cannot(QStringLiteral("remove"), entry, reasonOf(*job))] {
                emit failed(message);
            });
    });
    startOnBus(job);
}

} // namespace warpwright
