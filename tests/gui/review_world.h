// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/agent/agent_panel.h"
#include "tests/gui/script_world.h"
#include "widgets/editor/code_editor.h"

/// A window on a workspace with steps of three hunks each: a remark on top, a statement in the middle, the
/// time that the fake judge is to say at the end.
struct ReviewWorld : ScriptWorld {
    /// `toJudge`: told by every step beside its time, as "slow=verify:600".
    explicit ReviewWorld(int steps = 2, const QByteArray &toJudge = {});

    [[nodiscard]] warpwright::AgentPanel &panel() const;
    [[nodiscard]] bool waitFor(warpwright::SessionState state) const;
    [[nodiscard]] bool waitsForReview() const;
    [[nodiscard]] bool isMeasured() const;
    /// Of the proposal at hand, all hunks, and on to what follows.
    [[nodiscard]] bool answerAllAndGoOn(QAction *answer) const;
    [[nodiscard]] bool stop() const;
    [[nodiscard]] warpwright::CodeEditor *editor() const { return window.editor(kernelFile); }
    void trigger(QAction *action) const { action->trigger(); }
    /// All that was said in the agent's pane.
    [[nodiscard]] QString said() const;
};
