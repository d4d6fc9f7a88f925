// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/setup/new_command.h"

#include "agent/lessons/lesson_folder.h"
#include "app/cli/options/shared_options.h"
#include "toolchain/base/figures.h"
#include "toolchain/workspace/lessons.h"
#include "toolchain/workspace/readme_pictures.h"
#include "toolchain/workspace/task_files.h"
#include "toolchain/workspace/workspace_template.h"

#include <CLI/CLI.hpp>

#include <QDir>

#include <unistd.h>

namespace warpwright {
namespace {

struct NewOptions {
    QString folder;
    QString model;  ///< --from
    QString lesson; ///< --lesson
    bool isKindSaid = false;

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand() const;
};

void NewOptions::addTo(CLI::App &app) {
    addText(app, "DIR", folder, "The folder to fill; made if it does not exist")->required()->type_name("");
    CLI::Option *from =
        addText(app, "--from", model, "The reference: a file with Model, get_inputs and get_init_inputs")
            ->type_name("FILE");
    CLI::Option *ofLesson =
        addText(app, "--lesson", lesson,
                "softmax, gemm or the folder of a lesson of your own: a kernel to begin with, and the "
                "patches that make it fast")
            ->type_name("NAME")
            ->excludes(from);
    app.callback([this, from, ofLesson] { isKindSaid = from->count() > 0 || ofLesson->count() > 0; });
    app.footer("One of --from and --lesson is needed.");
}

QString NewOptions::understand() const {
    return isKindSaid ? QString()
                      : notUnderstood(QStringLiteral("new needs --from FILE or --lesson NAME"),
                                      QStringLiteral("wright new --help"));
}

int runLesson(const CommandContext &context, const NewOptions &asked, const QString &folder) {
    const Result<Lesson> lesson = lessonByName(context.folders.resources, asked.lesson);
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
                             .arg(next, asked.folder, lessonStepsFolder));
    for (const QString &picture : picturesNotShown(folder))
        print(STDOUT_FILENO, QStringLiteral("README.md does not show the picture %1.\n").arg(picture));
    return 0;
}

int runNew(const CommandContext &context, const NewOptions &asked) {
    const QString folder = QDir::cleanPath(QDir::current().absoluteFilePath(asked.folder));
    if (!asked.lesson.isEmpty())
        return runLesson(context, asked, folder);
    const QString model = QDir::current().absoluteFilePath(asked.model);
    const Result<QStringList> made = createWorkspace(folder, model, context.folders.resources);
    if (!made.hasValue())
        return refuse(context, made.message());
    QString text = QStringLiteral("%1\n").arg(inked(context.output, Ink::Strong, folder));
    for (const QString &name : made.value())
        text += QStringLiteral("  %1\n").arg(name);
    if (const QStringList left = unreadConfigs(model); !asked.model.isEmpty() && !left.isEmpty())
        text +=
            QStringLiteral("Not copied: %1, which the reference does not read. The task is what get_inputs() "
                           "and get_init_inputs() give.\n")
                .arg(left.join(QStringLiteral(", ")));
    text += QStringLiteral("Write kernels/ and model_new.py, then: wright check %1\n").arg(asked.folder);
    print(STDOUT_FILENO, text);
    return 0;
}

} // namespace

Command newCommand() {
    return commandWith("new", "Make a workspace from a template", runNew);
}

} // namespace warpwright
