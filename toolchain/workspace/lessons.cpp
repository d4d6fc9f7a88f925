// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/lessons.h"

#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"
#include "toolchain/workspace/workspace_template.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int lastPlace = 1000;

/// NN-name.patch and NN-name/, as the script agent reads them.
int countSteps(const QString &folder) {
    static const QRegularExpression form(QStringLiteral("^\\d+-.+$"));
    const QFileInfoList entries = QDir(folder).entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot);
    return static_cast<int>(std::count_if(entries.begin(), entries.end(), [](const QFileInfo &entry) {
        return form.match(entry.fileName()).hasMatch() &&
               (entry.isDir() || entry.suffix() == QLatin1String("patch"));
    }));
}

/// What a laid-out lesson says of itself: its own words, and where it came from.
QByteArray wordsOf(const Lesson &lesson) {
    Json words{{"name", toJson(lesson.name)},     {"folder", toJson(lesson.folder)},
               {"title", toJson(lesson.title)},   {"description", toJson(lesson.description)},
               {"kernel", toJson(lesson.kernel)}, {"goals", Json::array()},
               {"shapes", toJson(lesson.shapes)}, {"bound", toJson(lesson.bound)}};
    for (const QString &goal : lesson.goals)
        words["goals"].push_back(toJson(goal));
    return dumpJson(words) + '\n';
}

/// All files of `folder` as `prefix` + their path; the message when one cannot be read.
QString takeFiles(const QString &folder, const QString &prefix, std::map<QString, QByteArray> &files) {
    QDirIterator entries(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (entries.hasNext()) {
        const QString path = entries.next();
        Result<QByteArray> text = readTextFile(path);
        if (!text.hasValue())
            return text.message();
        files[prefix + QDir(folder).relativeFilePath(path)] = std::move(text).value();
    }
    return {};
}

} // namespace

Lesson readLesson(const QString &folder, const QString &steps) {
    Lesson lesson;
    lesson.folder = folder;
    lesson.name = QFileInfo(folder).fileName();
    lesson.title = lesson.name;
    lesson.order = lastPlace;
    lesson.steps = countSteps(steps);
    const Result<QByteArray> text = readTextFile(folder + QLatin1Char('/') + lessonWordsFile);
    const Result<Json> json = text.hasValue() ? parseJson(text.value()) : Result<Json>::error(text.message());
    if (!json.hasValue() || !json.value().is_object())
        return lesson;
    const Json &object = json.value();
    if (const auto order = object.find("order"); order != object.end() && order->is_number_integer())
        lesson.order = order->get<int>();
    lesson.name = stringIn(object, "name", lesson.name);
    lesson.folder = stringIn(object, "folder", lesson.folder);
    lesson.title = stringIn(object, "title", lesson.name);
    lesson.description = stringIn(object, "description");
    lesson.kernel = stringIn(object, "kernel");
    lesson.goals = stringsIn(object.value("goals", Json::array()));
    lesson.shapes = stringIn(object, "shapes");
    lesson.bound = stringIn(object, "bound");
    return lesson;
}

std::optional<Lesson> lessonIn(const QString &workspace) {
    const QString folder = workspace + QLatin1Char('/') + lessonStepsFolder;
    if (countSteps(folder) == 0)
        return std::nullopt;
    Lesson lesson = readLesson(folder, folder);
    if (lesson.folder == folder)
        lesson.folder.clear(); // it does not say where it came from
    // One that was laid out before lessons kept their words: it is named after its lesson.
    if (!QFileInfo::exists(folder + QLatin1Char('/') + lessonWordsFile)) {
        static const QRegularExpression number(QStringLiteral("-\\d+$"));
        lesson.name = QFileInfo(workspace).fileName().remove(number);
        lesson.title = lesson.name;
    }
    return lesson;
}

Result<std::vector<Lesson>> listLessons(const QString &resources) {
    using Answer = Result<std::vector<Lesson>>;
    const QDir root(resources + QStringLiteral("/lessons"));
    std::vector<Lesson> lessons;
    for (const QString &name : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
        if (root.exists(name + QStringLiteral("/start/model.py"))) {
            const QString folder = root.absoluteFilePath(name);
            lessons.push_back(readLesson(folder, folder + QStringLiteral("/steps")));
        }
    if (lessons.empty())
        return Answer::error(
            QStringLiteral("Cannot find the lessons in \"%1\". Install Warpwright again, or set "
                           "WARPWRIGHT_RESOURCES to its resources.")
                .arg(root.absolutePath()));
    std::stable_sort(lessons.begin(), lessons.end(),
                     [](const Lesson &one, const Lesson &other) { return one.order < other.order; });
    return Answer::ok(std::move(lessons));
}

Result<Lesson> findLesson(const QString &resources, const QString &name) {
    const Result<std::vector<Lesson>> lessons = listLessons(resources);
    if (!lessons.hasValue())
        return Result<Lesson>::error(lessons.message());
    QStringList names;
    for (const Lesson &lesson : lessons.value()) {
        if (lesson.name == name)
            return Result<Lesson>::ok(lesson);
        names << lesson.name;
    }
    return Result<Lesson>::error(QStringLiteral("There is no lesson \"%1\". Name one of these: %2.")
                                     .arg(name, names.join(QStringLiteral(", "))));
}

Result<QStringList> layOutLesson(const Lesson &lesson, const QString &folder, const QString &resources) {
    std::map<QString, QByteArray> files;
    QString why = takeFiles(lesson.folder + QStringLiteral("/start"), {}, files);
    if (why.isEmpty())
        why =
            takeFiles(lesson.folder + QStringLiteral("/steps"), lessonStepsFolder + QLatin1Char('/'), files);
    // The same in every workspace: lessons have no copies of their own.
    for (const char *name : {"binding.cpp", "binding_registry.h"}) {
        Result<QByteArray> text =
            readTextFile(resources + QStringLiteral("/templates/workspace/") + QLatin1String(name));
        if (why.isEmpty())
            why = text.message();
        if (text.hasValue())
            files[QLatin1String(name)] = std::move(text).value();
    }
    if (!why.isEmpty())
        return Result<QStringList>::error(why);
    files[lessonStepsFolder + QLatin1Char('/') + lessonWordsFile] = wordsOf(lesson);
    return writeNewFiles(folder, files);
}

QString nextLessonFolder(const QString &name, const QString &data) {
    const QString first = data + QStringLiteral("/lessons/") + name;
    QString folder = first;
    for (int number = 2; QFileInfo::exists(folder); ++number)
        folder = QStringLiteral("%1-%2").arg(first).arg(number);
    return folder;
}

Result<QString> beginLesson(const Lesson &lesson, const QString &data, const QString &resources) {
    const QString folder = nextLessonFolder(lesson.name, data);
    const Result<QStringList> made = layOutLesson(lesson, folder, resources);
    return made.hasValue() ? Result<QString>::ok(folder) : Result<QString>::error(made.message());
}

} // namespace warpwright
