// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/session.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/kit/actions.h"
#include "tests/gui/window_world.h"

/// A window on a workspace whose times the fake judge reads in the text, and a folder of steps for the script
/// agent, each a new text of one kernel.
struct ScriptWorld {
    static constexpr const char *kernelFile = "kernels/gate.cpp";

    /// The next one; `words` beside its title: a reason, a move, a prediction.
    void addStep(const QByteArray &text, warpwright::Json words = warpwright::Json::object());
    [[nodiscard]] QByteArray onDisk() const;
    /// The steps, by the script agent; the run is on its way.
    [[nodiscard]] bool begin(warpwright::SessionMode mode = warpwright::SessionMode::Review) const;
    [[nodiscard]] warpwright::AgentController &agent() const { return window.window->agent(); }
    [[nodiscard]] warpwright::Session *session() const { return agent().session(); }
    [[nodiscard]] warpwright::Actions &actions() const { return window.window->actions(); }

    WindowWorld window{QStringLiteral("base"), QStringLiteral("intext")};
    QString script = window.cli.path("script");
    QString kernel = window.folder + '/' + kernelFile;
    QByteArray base = onDisk();
    int steps = 0;
};
