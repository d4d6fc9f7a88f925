// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/popups/palette_model.h"

#include <QPointer>
#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace warpwright {

class Look;

/// A field to type in over rows that fit, which lies over its parent, 88 px from the top: what the palette
/// and the lists of places share. Arrows and pages choose a row, Enter takes it; Esc or a click elsewhere
/// closes and gives the focus back.
class FoundList : public QWidget {
    Q_OBJECT
public:
    void closeAndReturn();

protected:
    struct Shape {
        QString name; ///< of the objects: "palette" has "paletteField", "paletteRows", "paletteFoot"
        int width = 560;
        int rows = 9; ///< that are seen
        int rowHeight = 32;
        int footWidth = 0; ///< 0: all of it
    };
    FoundList(const Look &look, Shape shape, QWidget *parent);

    /// What is typed is another: calls showRows().
    virtual void filter() = 0;
    /// The chosen row is taken.
    virtual void take(const FoundRow &found) = 0;

    void openWith(const QString &typed);
    /// `none`: what is said where there is no row.
    void showRows(std::vector<FoundRow> rows, int chosen, const QString &foot, const QString &none = {});
    [[nodiscard]] const FoundRow *chosen() const;
    [[nodiscard]] QLineEdit *field() const { return m_field; }
    [[nodiscard]] const Look &look() const { return m_look; }
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void place();
    void takeChosen();
    [[nodiscard]] bool pressed(int key);

    const Look &m_look;
    Shape m_shape;
    QLineEdit *m_field;
    QListView *m_list;
    QLabel *m_foot;
    QLabel *m_none;
    PaletteModel *m_model;
    QPointer<QWidget> m_before;
};

} // namespace warpwright
