// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;

namespace warpwright {

class ActionButton;
class Look;

/// What an empty pane says: what will appear here, what brings it, and one button that does.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    EmptyState(const Look &look, QWidget *parent = nullptr);

    /// `action` may be null: then there is no button.
    /// The focus goes to the button, if there is one.
    void say(const QString &iconName, const QString &what, const QString &how, QAction *action = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void place();
    [[nodiscard]] int textTop() const;
    [[nodiscard]] int textWidth() const;
    [[nodiscard]] int howHeight() const; ///< as many lines as it takes

    const Look &m_look;
    QString m_icon;
    QString m_what;
    QString m_how;
    ActionButton *m_button = nullptr;
};

} // namespace warpwright
