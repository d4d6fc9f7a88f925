// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

namespace warpwright {

struct WindowParts;

/// What is measured: counters and timelines collected, reports opened, the heat of lines in the editor.
class MeasuringActions : public QObject {
    Q_OBJECT
public:
    MeasuringActions(const WindowParts &parts, QObject *parent);

    void openReport(const QString &path);

private:
    void connectCollecting();
    void connectPages();
    void connectReports();
    void connectHeat();
    void whenSaved(const std::function<void()> &then);
    void enable();

    const WindowParts &m_parts;
};

} // namespace warpwright
