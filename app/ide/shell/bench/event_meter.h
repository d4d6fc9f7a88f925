// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QHash>

#include <vector>

namespace warpwright {

/// An application that knows what each event costs its thread, in CPU time: what a person feels as stutter,
/// without what other programs take; and by the clock on the wall, with it. For benches only; four clock
/// reads an event.
class EventMeter : public QApplication {
    Q_OBJECT
public:
    EventMeter(int &argc, char **argv) : QApplication(argc, argv) {}

    bool notify(QObject *receiver, QEvent *event) override;

    struct Worst {
        double ms = 0;
        QString event; ///< "MetaCall of warpwright::Workbench"
        qint64 events = 0;
        qint64 over16ms = 0;
        QStringList tooLong;     ///< of those the first ten
        std::vector<float> all;  ///< milliseconds of CPU time, in their order
        std::vector<float> wall; ///< the same events' milliseconds on the wall
    };
    /// Events from here on count for this phase; empty: for none.
    void beginPhase(const QString &name) { m_phase = name; }
    [[nodiscard]] const QHash<QString, Worst> &phases() const { return m_phases; }

private:
    QHash<QString, Worst> m_phases;
    QString m_phase;
    int m_depth = 0;
};

} // namespace warpwright
