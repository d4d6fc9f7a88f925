// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QTextDocument;

namespace warpwright {

class Look;

/// Markdown of GitHub's dialect, without HTML, as a document in our fonts and colours. Again after the look
/// has changed.
void setMarkdown(QTextDocument &document, const QString &text, const Look &look);

} // namespace warpwright
