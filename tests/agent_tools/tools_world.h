// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tools/toolbox.h"
#include "agent/tools/work_folder.h"
#include "tests/agent/session_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "tests/toolchain/scratch.h"

#include <memory>

/// A workspace with a small candidate, a measurer that reads times out of the text, and a toolbox over both.
class ToolsWorld {
public:
    ToolsWorld();

    /// With CUDA-Agent's utils/ and a SKILL.md of its own; before open().
    void addUtils() const;
    /// Opens the workspace and the toolbox anew, for this device.
    void open(const QString &device = QStringLiteral("cpu"));
    /// Calls a tool and waits for its end.
    [[nodiscard]] warpwright::ToolAnswer call(const QString &name,
                                              const warpwright::Json &arguments = warpwright::Json::object());
    [[nodiscard]] warpwright::ToolAnswer bash(const QString &command, int seconds = 60);
    [[nodiscard]] warpwright::ToolAnswer read(const QString &path);
    /// A file of the work folder.
    [[nodiscard]] QString inWork(const QString &path) const;
    /// Whether a sandbox can stand here.
    [[nodiscard]] static bool hasSandbox();

    Scratch scratch;
    TextMeasurer measurer;
    warpwright::ToolPlace place;
    warpwright::AgentRequest request;
    std::unique_ptr<warpwright::Toolbox> box;

private:
    int m_calls = 0;
};

#define NEED_SANDBOX() NEED_TOOL(ToolsWorld::hasSandbox(), "a kernel that lets a sandbox be built")
