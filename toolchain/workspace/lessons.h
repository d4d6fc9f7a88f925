// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace warpwright {

/// A kernel to begin with, and a series of patches that make it fast one idea at a time: for the script
/// agent.
struct Lesson {
    QString name;   ///< of its folder: "softmax"
    QString folder; ///< absolute; holds start/ and steps/. Of lessonIn(): where it came from
    int order = 0;
    QString title;       ///< "Softmax over rows"
    QString description; ///< one sentence
    QString kernel;      ///< what it computes: "softmax(scores * scale + bias) over each row"
    QStringList goals;   ///< what one can do afterwards, a sentence each
    QString shapes;      ///< "scores [1024, 4096]"
    QString bound;       ///< "memory", "compute"; empty: not said
    int steps = 0;

    bool operator==(const Lesson &) const = default;
};

/// Where a laid-out lesson keeps its patches, beside model.py; no part of the candidate.
inline const QString lessonStepsFolder = QStringLiteral("lesson");

/// The words that a laid-out lesson keeps of itself, beside its patches.
inline const QString lessonWordsFile = QStringLiteral("lesson.json");

/// What `folder`/lesson.json and the steps there say; where the former cannot be read, its name. `steps`: the
/// folder of the patches.
[[nodiscard]] Lesson readLesson(const QString &folder, const QString &steps);

/// Those of `resources`/lessons, in their order. One whose lesson.json cannot be read is listed by its name.
[[nodiscard]] Result<std::vector<Lesson>> listLessons(const QString &resources);
/// An unknown name is an error that lists those there are.
[[nodiscard]] Result<Lesson> findLesson(const QString &resources, const QString &name);

/// The lesson that a workspace was made of, from its own lesson/; its name is the lesson's, not the
/// workspace's. Empty: it was made of none.
[[nodiscard]] std::optional<Lesson> lessonIn(const QString &workspace);

/// Writes the workspace at its start into `folder`, with the template's binding, and patches and words below
/// lesson/. Overwrites nothing. Gives the paths written, relative.
[[nodiscard]] Result<QStringList> layOutLesson(const Lesson &lesson, const QString &folder,
                                               const QString &resources);
/// Where beginLesson() would lay it out: the first free folder of <data>/lessons: "softmax", "softmax-2".
[[nodiscard]] QString nextLessonFolder(const QString &name, const QString &data);
/// The same there. A lesson begins at its beginning; what was made of an earlier one stays where it is. Gives
/// its path.
[[nodiscard]] Result<QString> beginLesson(const Lesson &lesson, const QString &data,
                                          const QString &resources);

} // namespace warpwright
