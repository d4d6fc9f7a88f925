#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The protocol's own Python client against `wright mcp`: real_client.py PROGRAM ROOT MODE.

MODE: legacy, auto, or a stateless version. Exits with code 77 where the package (mcp, 2.x) is not installed.
"""

import asyncio
import sys

try:
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters
    from mcp.shared.exceptions import MCPError
except ImportError:
    sys.exit(77)


async def main(program, root, mode):
    import os
    server = StdioServerParameters(command=program, args=["mcp", "--root", root, "--device", "cpu"], env=dict(os.environ))
    async with Client(server, mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"list_workspaces", "open_workspace", "verify", "profile", "submit"} <= set(tools), sorted(tools)
        assert tools["read"].annotations.read_only_hint and not tools["submit"].annotations.read_only_hint
        listed = await client.call_tool("list_workspaces", {})
        assert listed.structured_content["workspaces"][1] == {"workspace": "one", "iteration": 0}, listed
        one = {"workspace": "one"}
        read = await client.call_tool("read", {**one, "path": "kernels/gate.cpp"})
        assert not read.is_error and "second" in read.content[0].text, read
        wrong = await client.call_tool("read", {**one, "path": "../../etc/passwd"})
        assert wrong.is_error, wrong
        edit = await client.call_tool("edit", {**one, "path": "kernels/gate.cpp",
                                               "edits": [{"old": "second", "new": "second by the package"}]})
        assert not edit.is_error, edit
        sent = await client.call_tool("submit", {**one, "title": "By the package", "reason": "To see it work."})
        assert not sent.is_error and sent.structured_content["iteration"] == 2, sent
        try:
            await client.call_tool("no_such_tool", {})
            raise AssertionError("a tool that is not there was called")
        except MCPError as problem:
            assert problem.error.code == -32602, problem
    print("fine")


asyncio.run(main(*sys.argv[1:4]))
