// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/listing/listing_face.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace warpwright {

class ActionButton;
class Look;

/// Finds in whatever shows lines or rows, while it stays in view: below it, never over it, with the keys of
/// the editor's find bar. One for the window: it goes to the listing that has the focus. Looks in the pool;
/// what is older than the newest question is dropped.
class ListingBar : public QWidget {
    Q_OBJECT
public:
    ListingBar(const Look &look, QWidget *parent);

    /// Comes below the listing of `face`, which becomes ours. False: there is no room for it to lie in.
    bool open(ListingFace *face);
    void closeBar();
    [[nodiscard]] const LineHits &hits() const { return m_hits; }
    /// The listing that it is at; null: none.
    [[nodiscard]] QWidget *listing() const;

public slots:
    void findNext();
    void findPrevious();

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    [[nodiscard]] ActionButton *addButton(const QString &icon, const QString &text, const QString &tip);
    [[nodiscard]] SearchQuery query() const;
    void applyLook();
    /// `follows`: the view goes to the hit at or behind where the search began.
    void search(bool follows);
    void take(LineHits hits, bool follows);
    void step(int by);
    void select(int hit);
    void describe();
    void leave();
    void leaveHidden();

    const Look &m_look;
    QPointer<ListingFace> m_face;
    QLineEdit *m_field;
    ActionButton *m_case;
    ActionButton *m_word;
    ActionButton *m_expression;
    QLabel *m_count;
    QLabel *m_problem;
    LineHits m_hits;
    QTimer m_timer;
    int m_asked = 0;    ///< number of the newest question
    int m_current = -1; ///< hit; -1: none
    int m_origin = 0;   ///< line
};

/// Below `widget` in the column that it, or what holds it, stands in. False: there is no such column.
bool placeBelow(QWidget *widget, QWidget *bar);

} // namespace warpwright
