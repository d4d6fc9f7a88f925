// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// One change of a text that a person is asked about, as it is to be seen: lines that would go, lines that
/// would come, and what is said of it. Value; who shows it decides nothing.
struct ShownHunk {
    enum State { Open, Accepted, Rejected, Edited, Conflict };
    enum Measure { Unmeasured, Measuring, Measured, Unexercised, Failed };

    /// A stretch of the hunk in which lines change; between two of them lines stay. Counts from 0 within the
    /// hunk.
    struct Piece {
        int oldStart = 0;
        int oldCount = 0;
        int newStart = 0;
        int newCount = 0;

        bool operator==(const Piece &) const = default;
    };

    /// Words of a line that are not on the other side; in UTF-16 units. `line` from 0 within the hunk.
    struct Words {
        int line = 0;
        int start = 0;
        int length = 0;

        bool operator==(const Words &) const = default;
    };

    int id = 0;           ///< the owner's
    int number = 0;       ///< what people call it, from 1
    int line = 1;         ///< its first line in the document as it is now, from 1
    int oldCount = 0;     ///< lines of the document that it is about; 0: it would put lines before `line`
    QStringList newLines; ///< what would stand there, without line ends; shown while Open or in Conflict
    /// Empty: all lines go, all new ones come. Of a past one that stands: old ones of `goneLines`, new ones
    /// of the document.
    std::vector<Piece> pieces;
    std::vector<Words> oldWords;
    std::vector<Words> newWords;
    State state = Open;
    bool isUntouched = false; ///< Edited, and nothing is changed yet: it counts as open
    QString title;
    QString together;             ///< "with hunks 3, 4": it is no use without them, and is answered with them
    QString remark;               ///< behind the state's word: "loses 3 digits", "with line 21"
    Measure measure = Unmeasured; ///< Unexercised: what it changes does not run on this device
    QString difference;   ///< "−4.1 ± 0.6 µs"; while Measuring how far it is: "2 of 5"; Failed: why
    bool isNoise = false; ///< the interval holds zero
    QString resources;    ///< "registers/thread −10"
    /// Of a past run: how it was answered and by whom, "rejected by person". Nothing can be answered any
    /// more; what went and what was refused stays in sight beside what stands. Empty: it is under review.
    QString answer;
    QStringList goneLines; ///< of a past one that stands: the lines that it took the place of

    bool operator==(const ShownHunk &) const = default;

    /// Nobody has decided on it yet.
    [[nodiscard]] bool isLeft() const { return state == Open || state == Conflict; }
    [[nodiscard]] bool isPast() const { return !answer.isEmpty(); }
    /// Of a past one: lines of the document came with it.
    [[nodiscard]] bool stands() const { return state == Accepted || state == Edited; }
};

/// How a state is shown: icon, word, the colour of both and of the bar at the left.
struct HunkLook {
    const char *icon; ///< empty while Open
    QString word;
    const char *ink;
};

[[nodiscard]] HunkLook lookOf(const ShownHunk &hunk, bool isCurrent);

/// The keys that the current hunk shows beside its buttons: "Alt+Y". Empty: none.
struct HunkKeys {
    QString accept;
    QString reject;
    QString edit;
    QString undo;

    bool operator==(const HunkKeys &) const = default;
};

} // namespace warpwright
