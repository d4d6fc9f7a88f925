// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/run_tools.h"

namespace warpwright {

RunTools::RunTools(ToolPlace place, Measurer &measurer, QObject *parent)
    : McpTools(parent), m_toolbox(std::move(place), measurer), m_queue(m_toolbox) {
    connect(&m_queue, &ToolQueue::ended, this, &RunTools::ended);
    connect(&m_toolbox, &Toolbox::progress, this, &RunTools::progress);
    connect(&m_toolbox, &Toolbox::planChanged, this, &RunTools::planChanged);
    connect(
        &m_toolbox, &Toolbox::submitted, this, [this](const QString &id, const ToolSubmission &submission) {
            m_submission = submission;
            m_toolbox.answerSubmission(
                id,
                {ToolAnswer::Outcome::Ok,
                 QStringLiteral(
                     "Kept. End your turn now: what the folder holds then is proposed under this title, and "
                     "you are told what became of it."),
                 Json()});
        });
}

Result<void> RunTools::begin(const AgentRequest &request, const CandidateTexts &texts) {
    m_submission.reset();
    m_toolbox.setRequest(request);
    return m_toolbox.setTexts(texts);
}

const std::vector<ToolSpec> &RunTools::specs() const {
    static const std::vector<ToolSpec> all = [] {
        std::vector<ToolSpec> specs = Toolbox::specs();
        for (ToolSpec &spec : specs)
            if (spec.name == QLatin1String("submit"))
                spec.description = QStringLiteral(
                    "Says what your next proposal is called, why it should help, and what you expect of it: "
                    "predicted_time_ratio is the new time over the old one (0.8: a fifth faster), "
                    "predicted_us the new "
                    "time in microseconds. It is proposed when you end your turn, with the files as they are "
                    "then.");
        return specs;
    }();
    return all;
}

QString RunTools::instructions() const {
    return QStringLiteral(
        "Tools for the kernels of the folder that you work in. compile, verify and profile take its "
        "files as they are now; verify says whether the candidate is right, profile how fast it is. "
        "No other way reaches the device.");
}

void RunTools::call(const QString &id, const QString &name, const Json &arguments, const QString &) {
    m_queue.call(id, name, arguments);
}

} // namespace warpwright
