// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QByteArray>

class QAbstractItemModel;

namespace warpwright {

/// A model as RFC 4180 text: values unrounded, heads with units, UTF-8, an empty field where there is no
/// value.
[[nodiscard]] QByteArray csvText(const QAbstractItemModel &model);
[[nodiscard]] Result<void> writeCsv(const QString &path, const QAbstractItemModel &model);

} // namespace warpwright
