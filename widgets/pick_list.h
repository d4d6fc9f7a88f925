// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QString>
#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QListView;
class QStandardItemModel;

namespace warpwright {

class Look;

/// One of many to pick from.
struct PickRow {
    QString icon; ///< of resources/look/icons; may be empty
    QString name; ///< what is typed is held against it
    QString behind;
    bool isBehindCode = false; ///< in the code font
    int depth = 0;             ///< steps inwards
};

/// A list to pick one row from, found by typing: symbols of a file, places of a name. Lies over its parent as
/// the command palette does; Esc or a click elsewhere closes it and gives the focus back. Of many rows the
/// first 200 that fit are shown, and the foot says of how many.
class PickList : public QWidget {
    Q_OBJECT
public:
    PickList(const Look &look, QWidget *parent);

    /// `prompt` stands in the empty field, `current` is chosen at first.
    void open(const QString &prompt, std::vector<PickRow> rows, int current = 0);
    void closeAndReturn();

signals:
    /// Of the rows as they were given.
    void picked(int row);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    class Delegate;
    void filter(const QString &typed);
    void run();
    void place();
    [[nodiscard]] int chosen() const;

    const Look &m_look;
    QLineEdit *m_field;
    QListView *m_list;
    QLabel *m_foot;
    QStandardItemModel *m_model;
    std::vector<PickRow> m_rows;
    int m_current = 0;
    QPointer<QWidget> m_before;
};

} // namespace warpwright
