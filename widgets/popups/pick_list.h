// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/popups/found_list.h"

namespace warpwright {

/// One of many to pick from.
struct PickRow {
    QString icon; ///< of resources/look/icons; may be empty
    QString name; ///< what is typed is held against it
    QString behind;
    bool isBehindCode = false; ///< in the code font
    int depth = 0;             ///< steps inwards
};

/// A list to pick one row from: symbols of a file, places of a name. Of many rows the first 200 that fit are
/// shown, and the foot says of how many.
class PickList : public FoundList {
    Q_OBJECT
public:
    PickList(const Look &look, QWidget *parent);

    /// `prompt` stands in the empty field, `current` is chosen at first.
    void open(const QString &prompt, const std::vector<PickRow> &rows, int current = 0);

signals:
    /// Of the rows as they were given.
    void picked(int row);

protected:
    void filter() override;
    void take(const FoundRow &found) override;

private:
    std::vector<PaletteRow> m_rows; ///< their ids are their places
    int m_current = 0;
};

} // namespace warpwright
