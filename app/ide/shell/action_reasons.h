// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

struct WindowParts;

/// Which actions can be done now, and why the others cannot. Those who have actions of their own follow
/// updated().
class ActionReasons : public QObject {
    Q_OBJECT
public:
    ActionReasons(const WindowParts &parts, QObject *parent);

    void update();

signals:
    void updated();

private:
    void updateRuns();
    void updateTexts();
    void updateIterations();
    [[nodiscard]] bool hasRun() const;
    [[nodiscard]] QString runWords() const; ///< empty: no run goes on

    const WindowParts &m_parts;
};

} // namespace warpwright
