// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/look.h"

#include <QAbstractButton>
#include <QLabel>
#include <QScrollArea>

#include <optional>

class QVBoxLayout;

namespace warpwright {

/// Words in one role and one colour of ours, which follow the look.
class Words : public QLabel {
    Q_OBJECT
public:
    Words(const Look &look, TextRole role, const char *token, QWidget *parent,
          QFont::Weight weight = QFont::Normal);
    /// Breaks lines, and can be selected with the mouse.
    void setProse();
    /// One line that takes the room there is: where it is cut with dots its tool tip has it whole, unless the
    /// owner gives another.
    void setElides(Qt::TextElideMode mode = Qt::ElideRight);
    [[nodiscard]] QString shownText() const; ///< as it is painted
    void setToken(const char *token);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void restyle();

    const Look &m_look;
    TextRole m_role;
    const char *m_token;
    QFont::Weight m_weight;
    std::optional<Qt::TextElideMode> m_elide;
};

/// A head over a card: a name in 600, and a remark in small behind it.
class CardHead : public QWidget {
    Q_OBJECT
public:
    CardHead(const Look &look, const QString &title, const QString &remark, QWidget *parent);
    void setRemark(const QString &remark);

private:
    Words *m_title;
    Words *m_remark;
};

/// A box on bg.pane with our edge; its rows are set apart by hairlines.
class Card : public QWidget {
    Q_OBJECT
public:
    Card(const Look &look, QWidget *parent);
    void add(QWidget *row);
    /// Deletes all rows.
    void clear();
    [[nodiscard]] int count() const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Look &m_look;
    QVBoxLayout *m_rows;
};

/// Something on a page that can be pressed as a whole: by click, Enter or Space. What it shows is painted by
/// its kind; grounds, ring and corners are the same for all.
class CardButton : public QAbstractButton {
    Q_OBJECT
public:
    /// `hasEdge`: a card of its own instead of a row in one.
    CardButton(const Look &look, bool hasEdge, QWidget *parent);
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    virtual void paintFace(QPainter &painter) = 0;
    [[nodiscard]] const Look &look() const { return m_look; }
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    /// A line of text at `x` to `right`, its middle at `centreY`; elided. Gives the x behind it.
    int drawLine(QPainter &painter, const QString &text, int x, int right, int centreY, TextRole role,
                 const char *token, QFont::Weight weight = QFont::Normal,
                 Qt::TextElideMode elide = Qt::ElideRight) const;
    /// Of `size` px at 96 dpi, its middle at `centreY`.
    void drawIcon(QPainter &painter, const QString &name, int x, int centreY, int size,
                  const char *token) const;

private:
    const Look &m_look;
    bool m_hasEdge;
    bool m_focusIsVisible = false;
};

/// A page on bg.bar that scrolls down only and keeps its content within a width that reads well.
class ScrollPage : public QScrollArea {
    Q_OBJECT
public:
    ScrollPage(const Look &look, QWidget *content, QWidget *parent);

protected:
    void paintEvent(QPaintEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void restyle();
    const Look &m_look;
    bool m_focusIsVisible = false;
};

} // namespace warpwright
