// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractItemModel;

/// A model as a person would read it: heads, then a line a row, cells between bars.
QString modelText(const QAbstractItemModel &model);
