// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QTextDocument;

namespace warpwright {

class Look;

/// Markdown for a small popup: headings no larger than the text, code in the code font, links as plain words,
/// HTML as it is written. `document` holds it alone afterwards.
void setPlainMarkdown(QTextDocument &document, const QString &markdown, const Look &look);

} // namespace warpwright
