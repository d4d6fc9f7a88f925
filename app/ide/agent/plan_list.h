// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"

#include <QWidget>

namespace warpwright {

class Look;

/// The agent's plan: one line that says how far it is, and unfolded each step with its state.
class PlanList : public QWidget {
    Q_OBJECT
public:
    explicit PlanList(const Look &look, QWidget *parent = nullptr);

    /// Hidden while there is no plan.
    void setSteps(const std::vector<PlanStep> &steps);
    void setOpen(bool isOpen);
    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool event(QEvent *event) override;

private:
    [[nodiscard]] int shownSteps() const;

    const Look &m_look;
    std::vector<PlanStep> m_steps;
    bool m_isOpen = false;
    bool m_showsFocus = false;
};

} // namespace warpwright
