// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// Why a verdict is not `pass`, in the four parts that every message of ours has. All empty when it is.
struct EvaluationMessage {
    QString what;   ///< what could not be done
    QString thing;  ///< to which thing, whole path
    QString why;    ///< the tool's own words
    QString advice; ///< what to do
    QString detail; ///< what a process printed besides, a traceback for instance; may be long

    [[nodiscard]] bool isEmpty() const { return what.isEmpty(); }
    bool operator==(const EvaluationMessage &) const = default;
};

/// The message as one text, for a terminal or a status bar: `what "thing": why. advice`
[[nodiscard]] QString plainText(const EvaluationMessage &message);

/// The parts of a sentence in the form of this house, `Cannot do that to "thing": why. What to do.`
/// Loses no word: what does not have that form is all `what`.
[[nodiscard]] EvaluationMessage messageFrom(const QString &sentence);

/// From parts that were written apart, as the judge's are: `what` may be a whole sentence that names the
/// thing at its end.
[[nodiscard]] EvaluationMessage messageFrom(const QString &what, const QString &why, const QString &advice);

} // namespace warpwright
