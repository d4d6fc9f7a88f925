// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QListView;
class QStandardItemModel;

namespace warpwright {

class Look;

/// How well `typed` fits `name`: every typed word begins a word of the name, or lies in it. Less is better;
/// -1: not at all.
[[nodiscard]] int paletteRank(const QString &name, const QString &typed);

/// Every action of the program with its key, found by typing. Disabled ones are listed with the reason. Lies
/// over its parent, 88 px from the top; Esc or a click elsewhere closes it and gives the focus back.
class CommandPalette : public QWidget {
    Q_OBJECT
public:
    CommandPalette(const Look &look, QWidget *parent);

    /// `actions`: text is the name, property "group" its group, "iconName" its icon, "whyDisabled" the
    /// reason.
    void open(const QList<QAction *> &actions);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void filter(const QString &typed);
    void run();
    void closeAndReturn();
    void place();

    const Look &m_look;
    QLineEdit *m_field;
    QListView *m_list;
    QLabel *m_foot;
    QStandardItemModel *m_model;
    QList<QAction *> m_actions;
    QPointer<QWidget> m_before;
};

} // namespace warpwright
