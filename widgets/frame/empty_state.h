// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

#include <vector>

class QAction;

namespace warpwright {

class ActionButton;
class Look;

/// What an empty pane says: what will appear here, what brings it, and a button for each act that does.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    EmptyState(const Look &look, QWidget *parent = nullptr);

    /// One button an action, below each other; the focus goes to the first one.
    void say(const QString &iconName, const QString &what, const QString &how,
             const QList<QAction *> &actions);
    /// `action` may be null: then there is no button.
    void say(const QString &iconName, const QString &what, const QString &how, QAction *action = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void place();
    [[nodiscard]] int textTop() const;
    [[nodiscard]] int textWidth() const;
    [[nodiscard]] int heightOf(const QString &text, const QFont &font) const;
    [[nodiscard]] int whatHeight() const;
    [[nodiscard]] int howHeight() const; ///< as many lines as it takes
    [[nodiscard]] int buttonsHeight() const;

    const Look &m_look;
    QString m_icon;
    QString m_what;
    QString m_how;
    QList<QAction *> m_actions;
    std::vector<ActionButton *> m_buttons;
};

} // namespace warpwright
