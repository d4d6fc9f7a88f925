// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// Something said about a place in a text.
struct EditorMark {
    enum Severity { Info, Finding, Warning, Error };

    int line = 1;   ///< from 1
    int column = 0; ///< from 1, in characters; 0: the line as a whole
    Severity severity = Error;
    QString text;
    int endColumn = 0; ///< behind the last character; 0: to the end of the word
    /// Said while a person types: nothing is put below its line, for that would move the text with each key.
    bool isLive = false;

    bool operator==(const EditorMark &) const = default;
};

} // namespace warpwright
