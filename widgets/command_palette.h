// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QPointer>
#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace warpwright {

class Look;
class PaletteModel;

/// What can be chosen: an action, a file, an iteration.
struct PaletteRow {
    QString id; ///< for whoever gave it
    QString name;
    QString otherNames; ///< by which it is found, too
    QString behind;     ///< its group, its folder
    QString iconName;
    QString key;         ///< "Ctrl+K"
    QString whyDisabled; ///< empty: it can be chosen

    bool operator==(const PaletteRow &) const = default;
};

/// Rows that are found together, behind one prefix.
struct PaletteKind {
    QString prefix; ///< ">"; empty: what is found where no prefix is typed
    QString what;   ///< "actions", for the foot
    QString invites;
    bool isFuzzy = false;   ///< also by single letters in their order
    bool takesLine = false; ///< «:12» behind the words is a line
};

/// The parts of a key as they are drawn: "Ctrl++" are «Ctrl» and «+».
[[nodiscard]] QStringList keyParts(const QString &key);

/// Finds whatever has a name by typing, with its key. What cannot be chosen is listed with the reason. Lies
/// over its parent, 88 px from the top; Esc or a click elsewhere closes it and gives the focus back.
class CommandPalette : public QWidget {
    Q_OBJECT
public:
    /// More are not listed: nobody reads them.
    static constexpr int mostRows = 500;

    CommandPalette(const Look &look, QWidget *parent);

    /// The first is the one without a prefix.
    void setKinds(std::vector<PaletteKind> kinds);
    /// Also while it is open: what is chosen stays chosen. In the order in which equals are listed.
    void setRows(const QString &prefix, std::vector<PaletteRow> rows);
    /// `typed`: begins with the prefix. Open already with the same prefix: closes.
    void open(const QString &typed = {});

signals:
    /// `line`: that was typed behind it; 0: none.
    void picked(const QString &id, int line);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] const PaletteKind &kindOf(const QString &typed) const;
    void filter();
    void run();
    void closeAndReturn();
    void place();

    const Look &m_look;
    QLineEdit *m_field;
    QListView *m_list;
    QLabel *m_foot;
    PaletteModel *m_model;
    std::vector<PaletteKind> m_kinds{PaletteKind()};
    QHash<QString, std::vector<PaletteRow>> m_rows; ///< by prefix
    QPointer<QWidget> m_before;
    int m_line = 0; ///< that is typed; 0: none
};

} // namespace warpwright
