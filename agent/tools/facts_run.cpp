// SPDX-License-Identifier: GPL-3.0-or-later
// device_facts, history, skill: what is known without doing anything.
#include "agent/tools/device_words.h"
#include "agent/tools/kept_output.h"
#include "agent/tools/skill_pages.h"
#include "agent/tools/tool_run.h"
#include "toolchain/base/figures.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/history/iteration_words.h"
#include "toolchain/process/in_pool.h"
#include "toolchain/report/text_table.h"

namespace warpwright {
namespace {

ToolAnswer ok(const QString &text, Json structured = Json()) {
    return {ToolAnswer::Outcome::Ok, text, std::move(structured)};
}

QString timeOf(const std::optional<EvaluationSummary> &summary) {
    return summary && summary->candidate ? timeText(summary->candidate->medianMicroseconds) : QString();
}

ToolAnswer historyAnswer(const std::vector<IterationRecord> &records, int current) {
    if (records.empty())
        return ok(QStringLiteral("No iterations yet."), Json::array());
    const Terminal plain;
    TextTable table({0, 1});
    table.heading({QStringLiteral("iteration"), QStringLiteral("from"), QStringLiteral("author"),
                   QStringLiteral("verdict"), QStringLiteral("reward"), QStringLiteral("time"),
                   QStringLiteral("over eager"), QStringLiteral("note")});
    Json list = Json::array();
    for (const IterationRecord &record : records) {
        const Iteration &one = record.iteration;
        table.row({QString::number(one.number) + (one.number == current ? QStringLiteral("*") : QString()),
                   one.parent > 0 ? QString::number(one.parent) : QString(),
                   printable(authorText(one.author)), verdictWord(record.latest), rewardText(record.latest),
                   timeOf(record.latest), speedUpText(record.latest),
                   printable(record.problem.isEmpty() ? noteOf(record) : record.problem)});
        Json json{{"number", one.number},
                  {"parent", one.parent},
                  {"note", toJson(one.note)},
                  {"author", toJson(authorText(one.author))},
                  {"verdict", toJson(verdictWord(record.latest))}};
        if (record.latest)
            json["evaluation"] = summaryToJson(*record.latest);
        list.push_back(std::move(json));
    }
    QString text = table.text(plain, 0);
    if (current > 0)
        text += QStringLiteral("* the text you began with\n");
    // A long run's rows would each bring a whole summary.
    constexpr std::size_t mostStructured = 50;
    if (list.size() > mostStructured)
        list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(mostStructured));
    return ok(cutInTheMiddle(text, mostAnswerBytes, {}), std::move(list));
}

ToolAnswer skillAnswer(const QString &workspace, const QString &resources, const QString &asked) {
    const Skill skill = readSkill(workspace, resources);
    if (skill.pages.empty())
        return failedAnswer(
            QStringLiteral("There is no page: neither the workspace nor this installation has "
                           "a SKILL.md."));
    const QString names = skill.names().join(QStringLiteral(", "));
    const SkillPage *page = skill.page(asked);
    if (page == nullptr)
        return failedAnswer(
            QStringLiteral("There is no page \"%1\". There are %2.").arg(asked.left(200), names));
    QString text = skill.text;
    if (page != &skill.pages.front()) {
        const std::optional<GuideFile> file = readGuideFile(page->folder, page->file);
        if (!file || !file->isRead())
            return failedAnswer(QStringLiteral("The page \"%1\" %2.")
                                    .arg(page->name, file ? file->whyNot : QStringLiteral("is gone")));
        text = file->text;
    }
    // The workspace's own lie in the copy as well.
    const QString where = page->folder == workspace
                              ? QStringLiteral("The whole is in %1: use read.").arg(page->file)
                              : QString();
    const QString others = QStringLiteral("\n\n(pages: %1)\n").arg(names);
    return ok(cutInTheMiddle(text.trimmed(), mostAnswerBytes - others.toUtf8().size(), where) + others);
}

class FactsRun : public ToolRun {
public:
    FactsRun(ToolContext &context, QString name, const Json &arguments)
        : ToolRun(context), m_name(std::move(name)), m_page(stringIn(arguments, "page")) {}

    void start() override {
        if (m_name == QLatin1String("device_facts"))
            return withToolchain([this](const Toolchain &toolchain) { tellDevice(toolchain); });
        const AgentRequest &request = m_context.request;
        inPool(
            this,
            [isHistory = m_name == QLatin1String("history"), history = request.history,
             iteration = request.iteration, workspace = m_context.place.workspace,
             resources = m_context.place.request.folders.resources, page = m_page] {
                if (!isHistory)
                    return skillAnswer(workspace.folder, resources, page);
                // What the run was told is what the caller may know; without a run, the workspace's own.
                if (!history.empty())
                    return historyAnswer(history, iteration);
                const IterationStore store(workspace.state);
                const Result<std::vector<IterationRecord>> records = store.list();
                return records.hasValue() ? historyAnswer(records.value(), store.current())
                                          : failedAnswer(records.message());
            },
            [this](const ToolAnswer &answer) { emit ended(answer); });
    }

private:
    void tellDevice(const Toolchain &toolchain) {
        const Result<DeviceChoice> device = chooseDevice(m_context.place.request.device, toolchain);
        if (!device.hasValue())
            return emit ended(failedAnswer(device.message()));
        inPool(
            this,
            [device = device.value(), last = m_context.request.lastEvaluation] {
                return deviceWords(device, last ? &*last : nullptr);
            },
            [this](const QString &text) { emit ended(ok(text)); });
    }

    QString m_name;
    QString m_page;
};

} // namespace

MadeRun makeFactsRun(ToolContext &context, const QString &name, const Json &arguments) {
    return std::make_unique<FactsRun>(context, name, arguments);
}

} // namespace warpwright
