// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

class QWidget;

namespace warpwright {

class Actions;
class CandidatePanel;
class CounterController;
class DeviceDisplay;
class MeasuredPages;
class PaneOpener;
class WindowNotices;
class Workbench;

/// What is measured: counters and timelines collected, reports opened.
class MeasuringActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        const Workbench &bench;
        CandidatePanel &candidate;
        CounterController &counters;
        const DeviceDisplay &device;
        MeasuredPages &measured;
        WindowNotices &notices;
        PaneOpener &panes;
    };
    MeasuringActions(const Parts &parts, QWidget *window);

    void openReport(const QString &path);
    void enable();

private:
    void connectCollecting();
    void connectReports();
    void whenSaved(const std::function<void()> &then);

    const Parts m_parts;
    QWidget *m_window;
};

} // namespace warpwright
