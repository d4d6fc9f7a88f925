// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/measurer.h"
#include "agent/tools/file_tools.h"
#include "agent/tools/kept_output.h"
#include "agent/tools/shell_session.h"
#include "agent/tools/tool_values.h"
#include "agent/tools/work_folder.h"
#include "toolchain/environment/toolchain_probe.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>

namespace warpwright {

/// What the calls of one toolbox share. It outlives each of them.
struct ToolContext {
    ToolPlace place;
    Measurer *measurer;
    WorkFolder work;
    AgentRequest request;
    FileMarks marks;
    std::optional<Toolchain> toolchain; ///< once somebody has asked
    std::optional<Evaluation> timed;    ///< the last one with times, of whatever text it says
    std::unique_ptr<ShellSession> shell;
    int lastOutput = 0;                                      ///< number of the last file with a long output
    qsizetype mostAnswerBytes = warpwright::mostAnswerBytes; ///< less for who has a small window
};

/// One call under way. start() is followed by exactly one ended(), unless stop() comes first: then nothing is
/// heard of it any more. Destroying it is a stop, too.
class ToolRun : public QObject {
    Q_OBJECT
public:
    explicit ToolRun(ToolContext &context) : m_context(context) {}

    virtual void start() = 0;
    virtual void stop() {}

signals:
    void progress(const QString &text, int index, int count);
    void ended(const warpwright::ToolAnswer &answer);

protected:
    /// Which tools this machine has: asked once. Not after a stop.
    void withToolchain(const std::function<void(const Toolchain &)> &then);
    /// The candidate as it stands in the work folder, read in the pool; what cannot be read ends the call.
    void withTexts(const std::function<void(const CandidateTexts &)> &then);

    ToolContext &m_context;
};

using MadeRun = std::unique_ptr<ToolRun>;

/// The arguments were found to be right.
[[nodiscard]] MadeRun makeBashRun(ToolContext &context, const Json &arguments);
/// read, write, edit, glob, grep
[[nodiscard]] MadeRun makeFileRun(ToolContext &context, const QString &name, const Json &arguments);
/// compile, verify, profile, sanitize, sweep
[[nodiscard]] MadeRun makeMeasureRun(ToolContext &context, const QString &name);
[[nodiscard]] MadeRun makeInspectRun(ToolContext &context, const Json &arguments);
/// counters, timeline
[[nodiscard]] MadeRun makeCountersRun(ToolContext &context, const QString &name, const Json &arguments);
[[nodiscard]] MadeRun makeFindingsRun(ToolContext &context, const Json &arguments);
[[nodiscard]] MadeRun makeRestoreRun(ToolContext &context, const Json &arguments);
[[nodiscard]] MadeRun makeExpertRun(ToolContext &context, const Json &arguments);
/// device_facts, history, skill
[[nodiscard]] MadeRun makeFactsRun(ToolContext &context, const QString &name, const Json &arguments);

} // namespace warpwright
