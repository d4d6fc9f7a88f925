// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/lessons/lesson_folder.h"
#include "app/cli/command.h"
#include "toolchain/base/figures.h"
#include "toolchain/workspace/lessons.h"
#include "toolchain/workspace/readme_pictures.h"
#include "toolchain/workspace/task_files.h"
#include "toolchain/workspace/workspace_template.h"

#include <QDir>

#include <unistd.h>

namespace warpwright {
namespace {

int runLesson(const CommandContext &context, const QString &folder) {
    const Result<Lesson> lesson = lessonByName(context.folders.resources, context.line.lesson);
    if (!lesson.hasValue())
        return refuse(context, lesson.message());
    const Result<QStringList> made = layOutLesson(lesson.value(), folder, context.folders.resources);
    if (!made.hasValue())
        return refuse(context, made.message());
    const QString next = made.value().contains(QStringLiteral("README.md"))
                             ? QStringLiteral("Read README.md, then: ")
                             : QStringLiteral("Next: ");
    print(STDOUT_FILENO, QStringLiteral("%1\n  %2, %3\n%4wright tune %5 --script %5/%6\n")
                             .arg(inked(context.output, Ink::Strong, folder), lesson.value().title)
                             .arg(countText(lesson.value().steps, QStringLiteral("step")))
                             .arg(next, context.line.path, lessonStepsFolder));
    for (const QString &picture : picturesNotShown(folder))
        print(STDOUT_FILENO, QStringLiteral("README.md does not show the picture %1.\n").arg(picture));
    return 0;
}

} // namespace

int runNew(const CommandContext &context) {
    const QString folder = QDir::cleanPath(QDir::current().absoluteFilePath(context.line.path));
    if (!context.line.lesson.isEmpty())
        return runLesson(context, folder);
    const QString model = QDir::current().absoluteFilePath(context.line.modelFile);
    const Result<QStringList> made = createWorkspace(folder, model, context.folders.resources);
    if (!made.hasValue())
        return refuse(context, made.message());
    QString text = QStringLiteral("%1\n").arg(inked(context.output, Ink::Strong, folder));
    for (const QString &name : made.value())
        text += QStringLiteral("  %1\n").arg(name);
    if (const QStringList left = unreadConfigs(model); !context.line.modelFile.isEmpty() && !left.isEmpty())
        text += QStringLiteral(
                    "Not taken along: %1, which the reference does not read. The task is what get_inputs() "
                    "and get_init_inputs() give.\n")
                    .arg(left.join(QStringLiteral(", ")));
    text += QStringLiteral("Write kernels/ and model_new.py, then: wright check %1\n").arg(context.line.path);
    print(STDOUT_FILENO, text);
    return 0;
}

} // namespace warpwright
