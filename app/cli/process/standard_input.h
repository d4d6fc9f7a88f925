// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>

namespace warpwright {

/// Standard input as it arrives, without a thread; and its end.
class StandardInput : public QObject {
    Q_OBJECT
public:
    explicit StandardInput(QObject *parent = nullptr);

signals:
    void arrived(const QByteArray &bytes);
    void ended();

private:
    void read();

    QSocketNotifier m_notifier;
};

/// Writes all of it, however long its reader takes. False: nobody reads any more.
[[nodiscard]] bool writeStandardOutput(const QByteArray &bytes);

} // namespace warpwright
