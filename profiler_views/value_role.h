// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace warpwright {

/// What our models of measured data answer besides the usual roles. `Qt::DisplayRole` is the text for people.
enum ModelRole {
    /// A cell: the value itself, unrounded, in the unit of the column's own name; invalid where there is
    /// none.
    /// A head: the column's name in a CSV, with its unit: "median_us".
    ValueRole = Qt::UserRole,
    IconNameRole,  ///< an icon of ours, or empty
    ColorRole,     ///< a colour token for icon and text: "verdict.buildFailed"; empty: as usual
    FileRole,      ///< the file that Enter leads to
    LineRole,      ///< its line, from 1
    ColumnRole,    ///< its column, from 1; 0 unknown
    EmphasisRole,  ///< bool: drawn in 600
    MonospaceRole, ///< bool: drawn as code
};

} // namespace warpwright
