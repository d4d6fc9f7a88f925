// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/popups/found_list.h"

#include <QHash>

namespace warpwright {

/// Rows that are found together, behind one prefix.
struct PaletteKind {
    QString prefix; ///< ">"; empty: what is found where no prefix is typed
    QString what;   ///< "actions", for the foot
    QString invites;
    QString whenNone;       ///< what to try where nothing fits
    bool isFuzzy = false;   ///< also by single letters in their order
    bool takesLine = false; ///< «:12» behind the words is a line
};

/// Finds whatever has a name by typing, with its key. What cannot be chosen is listed with the reason.
class CommandPalette : public FoundList {
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
    void filter() override;
    void take(const FoundRow &found) override;
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] const PaletteKind &kindOf(const QString &typed) const;

    std::vector<PaletteKind> m_kinds{PaletteKind()};
    QHash<QString, std::vector<PaletteRow>> m_rows; ///< by prefix
    int m_line = 0;                                 ///< that is typed; 0: none
};

} // namespace warpwright
