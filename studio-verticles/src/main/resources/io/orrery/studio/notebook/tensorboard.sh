# Starts TensorBoard on a directory of the user, behind a gate that asks for the token.
cd "${ORRERY_WORKSPACE:-.}" || exit 1
if [ -z "$JUPYTER_TOKEN" ]; then echo "there is no token, without which everybody could enter" >&2; exit 1; fi
# SSH comes here.
if [ -f init.sh ]; then
  (/bin/sh ./init.sh; echo "init.sh ended with exit code $?") &
fi
exec python3 -u -c '
import asyncio, hmac, json, os, secrets, shutil, signal, socket, sys, time, urllib.parse

TOKEN = ("token " + os.environ.pop("JUPYTER_TOKEN")).encode()
# Its port has no token: who does not know this path, which is on no command line, finds nothing.
PREFIX = "/" + secrets.token_hex(16)
BOARD = """
import os, sys
sys.argv = ["tensorboard", "--logdir", os.environ.pop("ORRERY_BOARD_LOGS"), "--host", "127.0.0.1",
            "--port", os.environ.pop("ORRERY_BOARD_PORT"), "--load_fast", "false",
            "--path_prefix", os.environ.pop("ORRERY_BOARD_PREFIX")]
from tensorboard.main import run_main
run_main()
"""
used = 0.0


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


def inside(head):
    """The head as the board gets it; None when it has no token."""
    lines = head[:-4].split(b"\r\n")
    kept, known = [], False
    for line in lines[1:]:
        name, _, value = line.partition(b":")
        name = name.strip().lower()
        if name == b"authorization":
            known = known or hmac.compare_digest(value.strip(), TOKEN)
        elif name != b"connection":
            kept.append(line)
    words = lines[0].split(b" ")
    if not known or len(words) != 3 or not words[1].startswith(b"/"):
        return None
    words[1] = PREFIX.encode() + words[1]
    return b"\r\n".join([b" ".join(words), *kept, b"Connection: close", b"", b""])


async def answer(writer, status, body=b""):
    head = "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
    writer.write((head % (status, len(body))).encode() + body)
    await writer.drain()
    writer.close()


async def health(writer, port):
    try:
        _, probe = await asyncio.open_connection("127.0.0.1", port)
        probe.close()
    except OSError:
        return await answer(writer, "503 Service Unavailable")
    state = "alive" if time.time() - used < 60 else "expired"
    told = {"status": state, "lastHeartbeat": int(used * 1000)}
    await answer(writer, "200 OK", json.dumps(told).encode())


async def serve(reader, writer, port):
    global used
    try:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
        wanted = inside(head)
        if wanted is None:
            if head.startswith(b"GET /healthz "):
                return await health(writer, port)
            return await answer(writer, "403 Forbidden")
        if head.startswith(b"GET /healthz "):
            return await health(writer, port)
        used = time.time()
        source, sink = await asyncio.open_connection("127.0.0.1", port)
        sink.write(wanted)
        await sink.drain()
        asking = asyncio.create_task(copy(reader, sink))
        await copy(source, writer)
        asking.cancel()
        sink.close()
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.TimeoutError):
        writer.close()


def interpreter():
    """The Python of the program, which may be that of a virtual environment."""
    with open(shutil.which("tensorboard"), "rb") as script:
        first = script.readline(1000).decode(errors="replace").strip()
    words = first[2:].split() if first.startswith("#!") else []
    return words if words else [sys.executable]


async def main():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    logs = os.path.join(".", urllib.parse.unquote(os.environ.get("ORRERY_OPEN", "")))
    child = await asyncio.create_subprocess_exec(
        *interpreter(), "-c", BOARD,
        env={**os.environ, "ORRERY_BOARD_LOGS": logs, "ORRERY_BOARD_PORT": str(port),
             "ORRERY_BOARD_PREFIX": PREFIX})
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, child.terminate)
    await asyncio.start_server(
        lambda reader, writer: serve(reader, writer, port),
        os.environ["ORRERY_NOTEBOOK_HOST"], int(os.environ["PORT"]), limit=65536)
    sys.exit(await child.wait())


asyncio.run(main())
'
