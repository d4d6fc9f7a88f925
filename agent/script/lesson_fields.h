// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <utility>
#include <vector>

namespace warpwright {

/// What is wrong with one file of a lesson: which and why ("steps/01-wide.json: \"raison\" is no word of a
/// step"), and what to do.
using LessonFault = std::pair<QString, QString>;

/// All that is wrong with the words of a lesson, lesson.json and those beside its steps: a text that is no
/// JSON, a word that nobody reads, a value of another kind, a range whose ends are the wrong way round. For a
/// word that is left out without a sound is a word that its teacher believes in.
[[nodiscard]] std::vector<LessonFault> faultsOfLessonWords(const QString &folder);

/// The same of the words beside one step of a series of patches, without the file's name; none where there is
/// no such file.
[[nodiscard]] std::vector<LessonFault> faultsOfStepWords(const QString &path);

/// A JSON parser's message in words for whoever wrote the file: "it is no JSON: line 3, column 5 was not
/// expected".
[[nodiscard]] QString jsonFaultWords(const QString &parserMessage);

} // namespace warpwright
