// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace warpwright {

class ActionButton;
class Actions;
class Look;

/// The last line of the window: what is going on, the device, the cursor's place, when the text was saved. 24
/// px.
class StatusLine : public QWidget {
    Q_OBJECT
public:
    StatusLine(const Look &look, const Actions &actions, QWidget *parent = nullptr);

    void setState(const QString &iconName, const char *token, const QString &text);
    void setMachine(const QString &text);
    void setPlace(const QString &text);
    /// How many were told and not looked at: the bell has their number.
    void setNotices(int unread);
    [[nodiscard]] int unreadNotices() const { return m_unread; }
    void setSaved(const QString &text);
    /// Of the language server, before the place; a click starts it again where it is trouble.
    void setLanguage(const QString &text, bool isTrouble);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    const Look &m_look;
    const Actions &m_actions;
    QString m_icon = QStringLiteral("accept");
    const char *m_token = "verdict.pass";
    QString m_state, m_machine, m_place, m_saved, m_language;
    QRect m_commands, m_languageRect, m_bell;
    int m_unread = 0;
    bool m_isLanguageTrouble = false;
};

} // namespace warpwright
