#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""An agent made of the protocol's own Python package: what we send has to pass its checks.

    sdk_agent.py [FILE [OLD NEW]]     in FILE (kernels/a.cu) OLD becomes NEW, in which {} is a command's exit code

Exits with code 77 where the package (agent-client-protocol) is not installed.
"""

import asyncio
import os
import sys

try:
    import acp
    from acp import schema
except ImportError:
    sys.exit(77)


FILE, OLD, NEW = (sys.argv[1:] + ["kernels/a.cu", "line 5", "sdk {}"][len(sys.argv) - 1:])[:3]


class SdkAgent(acp.Agent):
    def on_connect(self, conn):
        self.conn = conn

    async def initialize(self, protocol_version, client_capabilities=None, client_info=None, **_):
        if not client_capabilities.fs.write_text_file or client_info.name != "warpwright":
            raise acp.RequestError.invalid_params({"why": "no client of ours"})
        return schema.InitializeResponse(
            protocol_version=acp.PROTOCOL_VERSION,
            agent_capabilities=schema.AgentCapabilities(load_session=False),
            agent_info=schema.Implementation(name="sdk", version="0.12"))

    async def new_session(self, cwd, mcp_servers=None, **_):
        self.folder = cwd
        self.turns = 0
        return schema.NewSessionResponse(session_id="sdk-1")

    async def cancel(self, session_id, **_):
        pass

    async def prompt(self, prompt, session_id, **_):
        asked = prompt[0].text
        if "What became of your proposal" in asked:
            told = "too bold" if "too bold" in asked else "I know what became of it"
            await self.conn.session_update(session_id, acp.update_agent_message_text(f"DONE: {told}"))
            return schema.PromptResponse(stop_reason="end_turn")
        await self.conn.session_update(session_id, acp.update_agent_thought_text("I think"))
        await self.conn.session_update(session_id, acp.update_plan([acp.plan_entry("edit", status="in_progress")]))
        self.turns += 1
        path = os.path.join(self.folder, FILE)
        read = await self.conn.read_text_file(session_id, path, line=2, limit=3)
        with open(path) as file:
            lines = file.readlines()
        if read.content != "".join(lines[1:4]):
            raise acp.RequestError.internal_error({"read": read.content})
        await self.conn.session_update(session_id, acp.start_edit_tool_call(f"c{self.turns}", "Edit", path, "new"))
        answer = await self.conn.request_permission(
            session_id, schema.ToolCallUpdate(tool_call_id=f"c{self.turns}", title=f"Edit {FILE}"),
            [schema.PermissionOption(option_id="ok", name="Allow", kind="allow_once"),
             schema.PermissionOption(option_id="no", name="Reject", kind="reject_once")])
        if answer.outcome.outcome != "selected":
            return schema.PromptResponse(stop_reason="cancelled")
        if answer.outcome.option_id != "ok":
            await self.conn.session_update(session_id, acp.update_agent_message_text("Then not."))
            return schema.PromptResponse(stop_reason="end_turn")
        terminal = await self.conn.create_terminal(session_id, "cat", args=[FILE])
        end = await self.conn.wait_for_terminal_exit(session_id, terminal.terminal_id)
        output = await self.conn.terminal_output(session_id, terminal.terminal_id)
        await self.conn.release_terminal(session_id, terminal.terminal_id)
        text = output.output.replace(OLD, NEW.replace("{}", str(end.exit_code)))
        await self.conn.write_text_file(session_id, path, text)
        await self.conn.session_update(session_id, acp.update_tool_call(f"c{self.turns}", status="completed"))
        await self.conn.session_update(session_id, acp.update_agent_message_text("Changed by the package"))
        return schema.PromptResponse(stop_reason="end_turn")


asyncio.run(acp.run_agent(SdkAgent()))
