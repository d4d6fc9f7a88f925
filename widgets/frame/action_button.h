// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QPointer>

class QAction;

namespace warpwright {

class Look;

/// A button in our look that may carry an icon, a text and the key that does the same. With an action it
/// follows it: text, icon, enabled, tooltip (with the reason when disabled), shortcut.
class ActionButton : public QAbstractButton {
    Q_OBJECT
public:
    enum class Kind {
        Plain,  ///< card with an edge
        Flat,   ///< no edge until hovered
        Filled, ///< at most one in the window: the next step
    };

    ActionButton(const Look &look, Kind kind, QWidget *parent = nullptr);

    void setKind(Kind kind);
    /// `name`: of an icon; drawn in the colour that suits the kind, or in `token`.
    void setIconName(const QString &name, const char *token = nullptr);
    /// "F5": drawn as a key cap after the text.
    void setKey(const QString &key);
    /// A small chevron after the text: it opens a menu.
    void setHasMenu(bool hasMenu);
    void setSmall(bool isSmall);
    void setEmphasis(bool isBold);
    /// Clicking triggers the action; text stays ours when `showsText` is false.
    void setAction(QAction *action, bool showsText = true);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void nextCheckState() override;

private:
    void follow();
    [[nodiscard]] QFont textFont() const;
    [[nodiscard]] int keyWidth() const;

    const Look &m_look;
    Kind m_kind;
    QString m_icon;
    const char *m_iconToken = nullptr;
    QString m_key;
    QPointer<QAction> m_action;
    bool m_hasMenu = false;
    bool m_isSmall = false;
    bool m_isBold = false;
    bool m_showsText = true;
    bool m_focusIsVisible = false;
};

/// The small frame around a key's name; returns its width. With a null painter it only measures.
int drawKeyCap(QPainter *painter, const Look &look, const QString &key, int x, int centreY, const QColor &ink,
               const QColor &edge);

} // namespace warpwright
