// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QByteArray>
#include <QString>

namespace warpwright {

/// The page's style sheet: light, and dark where the reader's system is; light on paper. `tokens`: the text
/// of resources/look/tokens.json, the one source of colours. Neither it nor the script has a letter that
/// means something to XML, so that a browser and an XML reader see the same text.
[[nodiscard]] Result<QString> pageStyle(const QByteArray &tokens);

/// The page's only script: a click on a table's head sorts it, and what is folded opens for paper. Without it
/// nothing is missing.
[[nodiscard]] QString pageScript();

/// What the browser is told to refuse: all but this style and this script, by their hashes; no network.
[[nodiscard]] QString contentPolicy(const QString &style, const QString &script);

} // namespace warpwright
