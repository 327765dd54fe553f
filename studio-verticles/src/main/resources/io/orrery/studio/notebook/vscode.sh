# Starts code-server on a socket in the directory of the user, behind a gate that asks for the token.
cd "${ORRERY_WORKSPACE:-.}" || exit 1
if [ -z "$JUPYTER_TOKEN" ]; then echo "there is no token, without which everybody could enter" >&2; exit 1; fi
# SSH comes here.
if [ -f init.sh ]; then
  (/bin/sh ./init.sh; echo "init.sh ended with exit code $?") &
fi
exec python3 -u -c '
import asyncio, hmac, os, signal, sys

TOKEN = ("token " + os.environ.pop("JUPYTER_TOKEN")).encode()
SOCKET = os.path.join(os.environ.get("XDG_RUNTIME_DIR", "/tmp"), "code.sock")
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


def allowed(head):
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"authorization" and hmac.compare_digest(value.strip(), TOKEN):
            return True
    return False


async def serve(reader, writer):
    try:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
        known = allowed(head)
        if not known and not head.startswith(b"GET /healthz "):
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
            writer.close()
            return
        inside, outside = await asyncio.open_unix_connection(SOCKET)
        outside.write(head if known else HEALTH)
        await outside.drain()
        if known:
            await asyncio.gather(copy(reader, outside), copy(inside, writer))
        else:
            await copy(inside, writer)
            outside.close()
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.TimeoutError):
        writer.close()


async def main():
    if os.path.exists(SOCKET):
        os.unlink(SOCKET)
    target = os.path.join(".", os.environ.get("ORRERY_OPEN", ""))
    child = await asyncio.create_subprocess_exec(
        "code-server", "--socket", SOCKET, "--socket-mode", "600", "--auth", "none",
        "--disable-telemetry", "--disable-update-check",
        # The router has checked it; code-server does not read a Forwarded host in quotes.
        "--trusted-origins", "*", target)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, child.terminate)
    await asyncio.start_server(
        serve, os.environ["ORRERY_NOTEBOOK_HOST"], int(os.environ["PORT"]), limit=65536)
    sys.exit(await child.wait())


asyncio.run(main())
'
