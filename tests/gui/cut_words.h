// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QWidget;

namespace warpwright {

/// What of the words in a window cannot be read as it is laid out: labels and buttons smaller than their
/// words, placeholders and heads of tables that are cut, words that lie outside of their pane or on each
/// other. Each as one line that names the widget. What elides on purpose (property "elides"; fields and
/// choices always do) is whole when its tool tip says it all.
[[nodiscard]] QStringList cutWords(const QWidget &window);

} // namespace warpwright
