// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

namespace warpwright {

class Actions;
class EmptyState;
class Look;

/// A page about a check: while there is none it says what will stand here, and whether it is on its way.
class CheckPage : public QWidget {
    Q_OBJECT
protected:
    /// `icon`, `title`: of the empty page; `onItsWay`: what appears when the running check ends.
    CheckPage(const Look &look, const Actions &actions, QString icon, QString title, QString onItsWay,
              QWidget *parent);

    [[nodiscard]] EmptyState *emptyState() const { return m_empty; }
    void sayEmpty(bool isRunning);

private:
    const Actions &m_actions;
    QString m_icon;
    QString m_title;
    QString m_onItsWay;
    EmptyState *m_empty;
    std::optional<bool> m_saysRunning;
};

} // namespace warpwright
