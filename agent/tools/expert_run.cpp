// SPDX-License-Identifier: GPL-3.0-or-later
// The tool `expert`: the playbook is asked once for what it would do with the text the caller began with.
#include "agent/playbook/playbook_agent.h"
#include "agent/tools/kept_output.h"
#include "agent/tools/tool_arguments.h"
#include "agent/tools/tool_run.h"
#include "toolchain/base/figures.h"
#include "toolchain/process/in_pool.h"
#include "toolchain/report/diff_text.h"

namespace warpwright {
namespace {

QString predictionText(const Prediction &prediction) {
    QStringList parts;
    if (prediction.timeRatio)
        parts << QStringLiteral("%1 of the time").arg(percentText(*prediction.timeRatio));
    if (!prediction.words.isEmpty())
        parts << prediction.words;
    return parts.isEmpty() ? QStringLiteral("nothing is promised") : parts.join(QStringLiteral(", "));
}

class ExpertRun : public ToolRun {
public:
    ExpertRun(ToolContext &context, const Json &arguments)
        : ToolRun(context), m_applies(boolArgument(arguments, "apply")) {}
    ~ExpertRun() override { ExpertRun::stop(); }

    void start() override {
        emit progress(QStringLiteral("expert: reads the reference"), 0, 0);
        inPool(
            this, [request = m_context.place.request] { return playbookSetup(request, SessionMode::Step); },
            [this](const Result<PlaybookSetup> &made) {
                if (!made.hasValue())
                    return emit ended(failedAnswer(made.message()));
                PlaybookSetup setup = made.value();
                setup.asksPerson = false; // a model has called it
                ask(setup);
            });
    }

    void stop() override {
        if (!m_agent)
            return;
        m_agent->disconnect(this);
        m_agent->cancel();
    }

private:
    void ask(const PlaybookSetup &setup) {
        m_agent = std::make_unique<PlaybookAgent>(setup);
        connect(m_agent.get(), &Agent::proposed, this, [this](const Proposal &proposal) { take(proposal); });
        connect(m_agent.get(), &Agent::done, this, [this](const QString &why) {
            emit ended({ToolAnswer::Outcome::Ok,
                        QStringLiteral("The expert has nothing to propose: %1").arg(why), Json()});
        });
        connect(m_agent.get(), &Agent::failed, this,
                [this](const QString &message) { emit ended(failedAnswer(message)); });
        AgentRequest request = m_context.request;
        request.workspace = m_context.place.workspace.folder;
        if (request.device.isEmpty())
            request.device = m_context.place.request.device;
        request.messages.clear();
        request.feedback.clear();
        m_agent->propose(request);
    }

    void take(const Proposal &proposal) {
        inPool(
            this,
            [proposal, applies = m_applies, work = m_context.work, marks = m_context.marks]() mutable {
                return answerOf(proposal, applies, work, std::move(marks));
            },
            [this](const FileAnswer &answer) {
                m_context.marks = answer.marks;
                emit ended(answer.answer);
            });
    }

    static FileAnswer answerOf(const Proposal &proposal, bool applies, const WorkFolder &work,
                               FileMarks marks) {
        QString text = QStringLiteral("%1\n\n%2\n\nIt expects: %3\n\n")
                           .arg(proposal.title, proposal.reason, predictionText(proposal.prediction));
        if (applies) {
            const Result<void> written = work.putCandidate(proposal.proposed);
            if (!written.hasValue())
                return {failedAnswer(written.message()), std::move(marks)};
            marks.clear(); // what was read is not what stands there now
            text += QStringLiteral("Its text is in the work folder now: read a file before you edit it.\n\n");
        }
        text += diffText(compareTexts(proposal.base, proposal.proposed), Terminal());
        Json structured{{"title", toJson(proposal.title)},
                        {"move", toJson(proposal.move)},
                        {"prediction", predictionToJson(proposal.prediction)}};
        return {{ToolAnswer::Outcome::Ok,
                 cutInTheMiddle(text, mostAnswerBytes,
                                applies ? QStringLiteral("The whole is in the work folder")
                                        : QStringLiteral("With apply: true all of it is written")),
                 std::move(structured)},
                std::move(marks)};
    }

    bool m_applies;
    std::unique_ptr<PlaybookAgent> m_agent;
};

} // namespace

MadeRun makeExpertRun(ToolContext &context, const Json &arguments) {
    return std::make_unique<ExpertRun>(context, arguments);
}

} // namespace warpwright
