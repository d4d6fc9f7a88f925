// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace warpwright {

class CounterController;
class EventMeter;
class MainWindow;

/// What the pages of what was measured cost the window's thread when each is opened, in the workspace that is
/// open: a phase of the meter for each, by its name. With a report of Nsight Compute the same once more while
/// it is read ("reading") and with it open ("report, roofline").
class PagesBench : public QObject {
    Q_OBJECT
public:
    /// `report`: a path; empty: without.
    PagesBench(EventMeter &meter, MainWindow &window, QString report, QObject *parent = nullptr);
    /// Once.
    void start();

signals:
    void finished();
    void failed(const QString &why);

private:
    void open(qsizetype page);
    void ended();
    void read();

    EventMeter &m_meter;
    MainWindow &m_window;
    QString m_report; ///< yet to be read
    QString m_before; ///< what a phase's name begins with
};

} // namespace warpwright
