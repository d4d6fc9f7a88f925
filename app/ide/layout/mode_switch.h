// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <array>

class QAction;

namespace warpwright {

class Look;

/// Who decides: Review asks for each hunk, Step for each iteration, Auto obeys its budgets. Three segments of
/// which the checked action is on; one stop of Tab, arrows move. It is never hidden while there is a session;
/// where it is narrow only the one that is on keeps its word.
class ModeSwitch : public QWidget {
    Q_OBJECT
public:
    /// Checkable actions, each with its key: what is pressed triggers them, what is checked is on.
    ModeSwitch(const Look &look, const std::array<QAction *, 3> &modes, QWidget *parent = nullptr);

    /// Only the one that is on keeps its word; `isBare`: not even that one, tip and name have it.
    void setCompact(bool isCompact, bool isBare = false);
    [[nodiscard]] QSize sizeHint() const override;
    /// `isCompact`, `isBare`: as it would be then.
    [[nodiscard]] int widthWhen(bool isCompact, bool isBare = false) const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool event(QEvent *event) override;

private:
    [[nodiscard]] int widthOf(int mode, bool hasWord) const;
    [[nodiscard]] bool hasWord(int mode) const;
    [[nodiscard]] QRect segment(int mode) const;
    [[nodiscard]] int modeAt(const QPoint &point) const;
    [[nodiscard]] int current() const;
    void describe();

    const Look &m_look;
    std::array<QAction *, 3> m_modes;
    int m_hovered = -1;
    bool m_showsFocus = false;
    bool m_isCompact = false;
    bool m_isBare = false;
};

} // namespace warpwright
