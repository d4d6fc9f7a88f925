// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/model/model_task.h"

#include "agent/model/model_words.h"
#include "agent/tools/evaluation_answer.h"
#include "agent/tools/project_rules.h"
#include "agent/tools/skill_pages.h"

namespace warpwright {
namespace {

constexpr qsizetype mostReference = 48 * 1024; // bytes shown at once; the rest is there to read

QString fenced(const QString &name, const QByteArray &text, const QString &language) {
    const QByteArray shown = text.left(mostReference);
    const QString more =
        shown.size() < text.size()
            ? QStringLiteral("\n(%1 bytes more: read %2)").arg(text.size() - shown.size()).arg(name)
            : QString();
    return QStringLiteral("`%1`:\n```%2\n%3\n```%4\n")
        .arg(name, language, QString::fromUtf8(shown).trimmed(), more);
}

} // namespace

Result<ModelTask> readModelTask(const AgentRequest &request, const DataFolders &folders) {
    using Answer = Result<ModelTask>;
    ModelTask task;
    const QString ours = folders.resources + QStringLiteral("/skills/cuda-kernels");
    const std::optional<GuideFile> frame = readGuideFile(ours, QStringLiteral("RULES.md"));
    const Skill skill = readSkill(request.workspace, folders.resources);
    if (!frame || skill.pages.empty())
        return Answer::error(
            QStringLiteral("Cannot begin: the skill for models is not in \"%1\". Install the program "
                           "anew, or set WARPWRIGHT_RESOURCES.")
                .arg(ours));
    task.rules = frame->text.trimmed() + QStringLiteral("\n\n# The skill\n\n") + skill.words();
    if (skill.isOwn)
        task.remarks << QStringLiteral("The workspace's own SKILL.md is the skill of this run.");
    task.remarks << skill.remarks;
    for (const ProjectRules &rules : readProjectRules(request.workspace)) {
        if (rules.file.name != projectRulesNames().front())
            continue;
        task.remarks << rules.remarks();
        if (rules.file.isRead())
            task.rules +=
                QStringLiteral("\n\n# The project's rules (AGENTS.md)\n\n") + rules.file.text.trimmed();
    }

    const auto reference = request.texts.find(QStringLiteral("model.py"));
    if (reference == request.texts.end())
        return Answer::error(QStringLiteral("Cannot begin: \"%1\" has no model.py.").arg(request.workspace));
    task.task = QStringLiteral(
                    "Make the kernels of this workspace faster than PyTorch, and right.\n\nThe reference, ") +
                fenced(reference->first, reference->second, QStringLiteral("python"));
    task.task += QStringLiteral("\nThe files of your copy:\n");
    for (const auto &[path, text] : request.texts)
        task.task += QStringLiteral("- %1, %2 bytes%3\n")
                         .arg(path)
                         .arg(text.size())
                         .arg(isCandidatePath(path) ? QString() : QStringLiteral(", protected"));
    const QString device = request.device.isEmpty() ? QStringLiteral("auto") : request.device;
    task.task += QStringLiteral("\nThe device asked for is %1; device_facts says what it is.\n").arg(device);
    if (request.lastEvaluation)
        task.task += QStringLiteral("\nMeasured of iteration %1, the text that you begin with:\n%2\n")
                         .arg(request.iteration)
                         .arg(evaluationAnswer(QStringLiteral("profile"), *request.lastEvaluation, {},
                                               request.workspace)
                                  .text);
    if (request.history.size() > 1)
        task.task += QStringLiteral("\nThe iterations so far:\n%1\n").arg(ledgerWords(request));
    return Answer::ok(std::move(task));
}

} // namespace warpwright
