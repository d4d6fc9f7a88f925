// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/lessons.h"

#include "toolchain/json.h"
#include "toolchain/text_file.h"
#include "toolchain/workspace_template.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int lastPlace = 1000;

Lesson readLesson(const QString &folder) {
    Lesson lesson;
    lesson.folder = folder;
    lesson.name = QFileInfo(folder).fileName();
    lesson.title = lesson.name;
    lesson.order = lastPlace;
    lesson.steps = static_cast<int>(
        QDir(folder + QStringLiteral("/steps")).entryList({QStringLiteral("*.patch")}, QDir::Files).size());
    const Result<QByteArray> text = readTextFile(folder + QStringLiteral("/lesson.json"));
    const Result<Json> json = text.hasValue() ? parseJson(text.value()) : Result<Json>::error(text.message());
    if (!json.hasValue() || !json.value().is_object())
        return lesson;
    const Json &object = json.value();
    if (const auto order = object.find("order"); order != object.end() && order->is_number_integer())
        lesson.order = order->get<int>();
    lesson.title = stringIn(object, "title", lesson.name);
    lesson.description = stringIn(object, "description");
    lesson.shapes = stringIn(object, "shapes");
    lesson.bound = stringIn(object, "bound");
    return lesson;
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

Result<std::vector<Lesson>> listLessons(const QString &resources) {
    using Answer = Result<std::vector<Lesson>>;
    const QDir root(resources + QStringLiteral("/lessons"));
    std::vector<Lesson> lessons;
    for (const QString &name : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
        if (root.exists(name + QStringLiteral("/start/model.py")))
            lessons.push_back(readLesson(root.absoluteFilePath(name)));
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
    return writeNewFiles(folder, files);
}

Result<QString> beginLesson(const Lesson &lesson, const QString &data, const QString &resources) {
    const QString first = data + QStringLiteral("/lessons/") + lesson.name;
    QString folder = first;
    for (int number = 2; QFileInfo::exists(folder); ++number)
        folder = QStringLiteral("%1-%2").arg(first).arg(number);
    const Result<QStringList> made = layOutLesson(lesson, folder, resources);
    return made.hasValue() ? Result<QString>::ok(folder) : Result<QString>::error(made.message());
}

} // namespace warpwright
