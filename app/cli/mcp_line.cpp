// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp_line.h"

#include <CLI/CLI.hpp>

namespace warpwright {

CLI::App *McpWords::addTo(CLI::App &app, std::string &device, std::string &python) {
    CLI::App *mcp = app.add_subcommand("mcp", "Serve our tools to agents of other programs, by the Model "
                                              "Context Protocol on standard input and output");
    mcp->add_option("--root", m_root,
                    "The folder below which the workspaces lie (default: the current folder)")
        ->type_name("FOLDER");
    mcp->add_option("--device", device, "auto, cpu or cuda:N (default: the settings', else auto)")
        ->type_name("NAME");
    mcp->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    CLI::Option *config =
        mcp->add_option("--config", m_client,
                        "Print what a client needs to start this: claude-code, codex, gemini or cursor")
            ->check(CLI::IsMember({"claude-code", "codex", "gemini", "cursor"}))
            ->type_name("CLIENT");
    mcp->add_flag("--write", m_writes, "Add it to the client's own file, which is asked about first")
        ->needs(config);
    mcp->add_flag("--yes", m_isSure, "Write without asking")->needs(config);
    mcp->add_option("--through", m_through,
                    "Carry the lines to a run of ours: agents start it so, and nobody else")
        ->type_name("SOCKET")
        ->group("");
    mcp->footer(
        "Each server works in copies of its own: a workspace is written to only by the tool submit, and not "
        "while a window has it open.\nIt ends when its standard input does.");
    return mcp;
}

McpLine McpWords::line(QString &why) const {
    McpLine line;
    line.root = QString::fromStdString(m_root);
    line.through = QString::fromStdString(m_through);
    line.client = mcpClientFromName(QString::fromStdString(m_client));
    line.writes = m_writes;
    line.isSure = m_isSure;
    if (line.isSure && !line.writes)
        why = QStringLiteral("--yes goes with --write");
    return line;
}

} // namespace warpwright
