// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace warpwright {

class ActionButton;
class Look;

/// A failure in words, in its verdict's colours: what, then which thing, why and what to do. Selectable text.
class MessageCard : public QWidget {
    Q_OBJECT
public:
    explicit MessageCard(const Look &look, QWidget *parent = nullptr);
    /// `ink`, `ground`: tokens.
    void say(const QString &iconName, const char *ink, const char *ground, const QString &title,
             const QString &text);

signals:
    /// The message names a row of the settings, and its button was pressed.
    void settingsAsked(const QString &row);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void restyle();
    const Look &m_look;
    QLabel *m_title;
    QLabel *m_text;
    ActionButton *m_settings;
    QString m_settingsRow;
    QString m_icon;
    const char *m_ink = "verdict.wrong";
    const char *m_ground = "verdictBg.wrong";
};

} // namespace warpwright
