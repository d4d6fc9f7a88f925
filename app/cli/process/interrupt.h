// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>

namespace warpwright {

/// Ctrl-C, SIGTERM and SIGHUP as signals of an object.
///
/// The answer «stopping» is written by the signal handler itself, so it comes at once whatever the program is
/// busy with. The second time means «kill everything now»; the third ends the program where it stands. One of
/// these at a time; it restores the old handlers when it goes.
class Interrupt : public QObject {
    Q_OBJECT
public:
    /// What the first Ctrl-C means: the end, or only a pause; then the second means the end, and SIGTERM and
    /// SIGHUP mean it at once.
    enum class First { Stops, Pauses };
    explicit Interrupt(First first = First::Stops, QObject *parent = nullptr);
    ~Interrupt() override;

    [[nodiscard]] bool hasStopped() const { return m_count > 0; }
    [[nodiscard]] bool hasKilled() const { return m_count > 1; }

signals:
    void stopAsked(); ///< the first
    void killAsked(); ///< the second

private:
    void read();

    QSocketNotifier *m_notifier = nullptr;
    int m_count = 0;
};

} // namespace warpwright
