"""Drives `toolscope serve` with the official Python SDK: both protocols, both transports.

Usage: client.py PROGRAM. Exits with 0 when everything is as it has to be.
"""

import http.server
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import anyio
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

PROGRAM = os.path.abspath(sys.argv[1])

DOCUMENT = """
openapi: 3.1.0
info: {title: Things, version: '1'}
servers: [{url: 'http://127.0.0.1:%d/v1'}]
paths:
  /things/{id}:
    get:
      operationId: get_thing
      summary: Get a thing
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}}
        - {name: tags, in: query, schema: {type: array, items: {type: string}}}
      responses:
        '200':
          description: The thing
          content:
            application/json:
              schema: {type: object, required: [id], properties: {id: {type: integer}, tags: {type: array}}}
  /slow/{seconds}:
    get:
      operationId: be_slow
      parameters: [{name: seconds, in: path, required: true, schema: {type: number}}]
      responses: {'200': {description: At last}}
  /fail:
    post:
      operationId: fail
      responses: {'200': {description: Never}}
"""

OVERLAY = """overlay: 1.0.0
info: {title: Names, version: '1'}
actions:
  - target: $.paths['/things/{id}'].get
    update: {x-mcp-tool-name: %s}
"""


class Api(http.server.BaseHTTPRequestHandler):
    """An API that has nothing to do with the program under test."""

    protocol_version = "HTTP/1.1"
    broken = threading.Event()

    def log_message(self, *_):
        pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.answer(500, {"why": "it always does"})

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path.startswith("/v1/things/"):
            tags = [pair.partition("=")[2] for pair in query.split("&") if pair]
            self.answer(200, {"id": int(path.rsplit("/", 1)[1]), "tags": tags})
        elif path.startswith("/v1/slow/"):
            end = time.monotonic() + float(path.rsplit("/", 1)[1])
            while time.monotonic() < end:
                time.sleep(0.05)
                self.connection.setblocking(False)
                try:
                    if self.connection.recv(1, 2) == b"":
                        Api.broken.set()
                        return
                except BlockingIOError:
                    pass
                finally:
                    self.connection.setblocking(True)
            self.answer(200, {"slept": True})
        else:
            self.answer(404, {"path": self.path})


def check(condition, text):
    if not condition:
        raise AssertionError(text)


class Bench:
    """A folder with a document and an overlay, and the program on it."""

    def __init__(self, folder, port):
        self.folder = pathlib.Path(folder)
        self.rename("get_thing")
        (self.folder / "api.yaml").write_text(DOCUMENT % port)
        self.arguments = ["serve", "api.yaml", "--overlay", "names.yaml"]

    def rename(self, name):
        # As editors do: a new file in the place of the old one.
        temporary = self.folder / "names.yaml.tmp"
        temporary.write_text(OVERLAY % name)
        temporary.rename(self.folder / "names.yaml")

    def start(self):
        process = subprocess.Popen(
            [PROGRAM, *self.arguments, "--http", "127.0.0.1:0"],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        first = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/mcp", first)
        check(found, f"no URL in {first!r}")
        said = []
        threading.Thread(target=lambda: said.extend(process.stderr), daemon=True).start()
        return process, found.group(0), said


def text_of(result):
    return "\n".join(getattr(block, "text", "") for block in result.content)


async def use(client, bench, changes):
    """Everything that a client does. `changes` waits for the next change of the list."""
    tools = (await client.list_tools()).tools
    check([tool.name for tool in tools] == ["get_thing", "be_slow", "fail"], tools)
    check(tools[0].input_schema["required"] == ["id"], tools[0].input_schema)
    check(tools[0].annotations.read_only_hint is True, tools[0].annotations)

    result = await client.call_tool("get_thing", {"id": 7, "tags": ["a b", "c"]})
    check(not result.is_error, result)
    check(result.structured_content == {"id": 7, "tags": ["a%20b", "c"]}, result)
    check(json.loads(text_of(result)) == result.structured_content, result)

    result = await client.call_tool("fail", {})
    check(result.is_error and "HTTP 500" in text_of(result) and "it always does" in text_of(result), result)
    result = await client.call_tool("get_thing", {"id": "seven"})
    check(result.is_error and "/id: must be integer" in text_of(result), result)
    try:
        await client.call_tool("no_such_tool", {})
        raise AssertionError("an unknown tool was called")
    except MCPError as error:
        check("no_such_tool" in str(error), error)

    told = []

    async def progress(done, total, message):
        told.append((done, message))

    result = await client.call_tool("be_slow", {"seconds": 2.6}, progress_callback=progress)
    check(not result.is_error, result)
    check([done for done, _ in told] == sorted({done for done, _ in told}) and len(told) >= 1, told)

    Api.broken.clear()
    with anyio.move_on_after(0.7) as scope:
        await client.call_tool("be_slow", {"seconds": 30})
    check(scope.cancelled_caught, "the call was not cancelled")
    check(await anyio.to_thread.run_sync(Api.broken.wait, 10), "the API never heard of the cancellation")
    started = time.monotonic()
    result = await client.call_tool("get_thing", {"id": 8})
    check(result.structured_content["id"] == 8 and time.monotonic() - started < 5, result)

    await changes(lambda: bench.rename("get_one_thing"))
    tools = (await client.list_tools()).tools
    check(tools[0].name == "get_one_thing", tools)
    result = await client.call_tool("get_one_thing", {"id": 9})
    check(result.structured_content["id"] == 9, result)


async def with_client(server, mode, bench):
    changed = anyio.Event()

    async def handler(message):
        if type(message).__name__ == "ToolListChangedNotification" or "list_changed" in str(message):
            changed.set()

    async def by_notification(edit):
        edit()
        with anyio.fail_after(15):
            await changed.wait()

    async with Client(server, mode=mode, message_handler=handler, read_timeout_seconds=40) as client:
        if mode == "legacy":
            await use(client, bench, by_notification)
            return

        async def by_subscription(edit):
            async with client.listen(tools_list_changed=True) as subscription:
                edit()
                with anyio.fail_after(15):
                    async for _ in subscription:
                        return

        await use(client, bench, by_subscription)


async def over_http(mode, bench):
    process, url, said = bench.start()
    try:
        await with_client(url, mode, bench)
        # A call that runs when the program is told to stop still gets its result.
        async with Client(url, mode=mode, read_timeout_seconds=40) as client:
            results = []

            async def slow():
                results.append(await client.call_tool("be_slow", {"seconds": 1.5}))

            async with anyio.create_task_group() as group:
                group.start_soon(slow)
                await anyio.sleep(0.5)
                process.send_signal(signal.SIGTERM)
            check(results and not results[0].is_error, results)
        code = await anyio.to_thread.run_sync(lambda: process.wait(15))
        check(code == 0, f"exit code {code}: {said}")
        check(process.stdout.read() == "", "something was written to standard output")
        check(any("claude mcp add" in line for line in said), said)
        check(any("Reloaded" in line for line in said), said)
    finally:
        process.kill()


async def over_stdio(mode, bench):
    server = StdioServerParameters(command=PROGRAM, args=[*bench.arguments, "--stdio"], cwd=str(bench.folder))
    await with_client(server, mode, bench)


def main():
    api = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
    api.daemon_threads = True
    threading.Thread(target=api.serve_forever, daemon=True).start()
    for way in (over_http, over_stdio):
        for mode in ("auto", "legacy"):
            with tempfile.TemporaryDirectory() as folder:
                anyio.run(way, mode, Bench(folder, api.server_port))
            print("ok", way.__name__, mode, flush=True)
    api.shutdown()


main()
