package io.orrery.compute.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A command in the container of a pod of a {@link Node}, over a WebSocket as API servers have them:
 * a message is a byte for its stream and what belongs to that. It runs on when the WebSocket has
 * ended.
 */
final class NodeTerminal {
  private static final int STATUS = 3;
  private static final int END = 255;

  /**
   * Runs a command: in a terminal, with pipes, or with pipes and no input. Reads a byte for the
   * stream, four for the length, and the bytes; writes the same.
   */
  private static final String PROGRAM =
      """
      import fcntl, json, os, pty, select, signal, struct, sys, termios
      def take(n):
          data = b''
          while len(data) < n:
              more = os.read(0, n - len(data))
              if not more:
                  return None
              data += more
          return data
      def tell(stream, data):
          try:
              sys.stdout.buffer.write(struct.pack('>BI', stream, len(data)) + data)
              sys.stdout.buffer.flush()
          except BrokenPipeError:
              pass
      mode, command = sys.argv[1], sys.argv[2:]
      if mode == 'tty':
          pid, place = pty.fork()
          outputs = {place: 1}
      else:
          (inside, place), (output, out), (error, err) = os.pipe(), os.pipe(), os.pipe()
          outputs = {output: 1, error: 2}
          pid = os.fork()
          if pid == 0:
              os.dup2(inside if mode == 'pipes' else os.open(os.devnull, os.O_RDONLY), 0)
              os.dup2(out, 1)
              os.dup2(err, 2)
          else:
              for end in inside, out, err:
                  os.close(end)
              os.set_blocking(place, False)
      if pid == 0:
          signal.signal(signal.SIGINT, signal.SIG_DFL)
          signal.signal(signal.SIGPIPE, signal.SIG_DFL)
          os.execvp(command[0], command)
      pending, hears, over = b'', True, False
      while outputs:
          sources = list(outputs) + ([0] if hears and not pending else [])
          ready, takes, _ = select.select(sources, [place] if pending else [], [])
          if takes:
              try:
                  pending = pending[os.write(place, pending):]
              except OSError:
                  pending, over = b'', True
          for source in ready:
              if source != 0:
                  try:
                      data = os.read(source, 4096)
                  except OSError:
                      data = b''
                  if data:
                      tell(outputs[source], data)
                  else:
                      del outputs[source]
                  continue
              head = take(5)
              stream, length = struct.unpack('>BI', head) if head else (0, 0)
              data = take(length) if head else b''
              hears = head is not None
              if stream == 0 and not over:
                  pending += data
              elif stream == 4:
                  size = json.loads(data)
                  fcntl.ioctl(place, termios.TIOCSWINSZ,
                              struct.pack('HHHH', size['Height'], size['Width'], 0, 0))
              elif stream == 255 and mode != 'tty' and not over:
                  os.close(place)
                  over = True
      tell(3, str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())
      """;

  /** The streams of a command. */
  enum Streams {
    TTY,
    PIPES,
    /** No input. */
    OUTPUT;

    static Streams of(boolean terminal, boolean input) {
      return terminal ? TTY : input ? PIPES : OUTPUT;
    }
  }

  private NodeTerminal() {}

  /** The words of a process that runs a command so that {@link #relay} understands it. */
  static List<String> words(Streams streams, List<String> command) {
    List<String> words = new ArrayList<>(List.of("python3", "-u", "-c", PROGRAM));
    words.add(streams.name().toLowerCase(Locale.ROOT));
    words.addAll(command);
    return words;
  }

  /** Passes messages on, both ways, until the process has ended. */
  static void relay(ServerWebSocket socket, Process process) {
    DataOutputStream input = new DataOutputStream(process.getOutputStream());
    socket.binaryMessageHandler(message -> {
      try {
        input.writeByte(message.getByte(0));
        input.writeInt(message.length() - 1);
        input.write(message.getBytes(1, message.length()));
        input.flush();
      } catch (IOException ended) {
        socket.close();
      }
    });
    socket.exceptionHandler(broken -> {});
    // A node ends the input of a command whose connection has broken off.
    socket.closeHandler(gone -> {
      try {
        input.writeByte(END);
        input.writeInt(0);
        input.flush();
      } catch (IOException ended) {
        return;
      }
    });
    Thread.startVirtualThread(() -> copy(socket, process));
  }

  private static void copy(ServerWebSocket socket, Process process) {
    // API servers tell so that the stream has begun.
    socket.writeBinaryMessage(Buffer.buffer(new byte[] {1}));
    try (DataInputStream output = new DataInputStream(process.getInputStream())) {
      while (true) {
        int stream = output.readByte();
        byte[] piece = output.readNBytes(output.readInt());
        byte[] told = stream == STATUS ? status(Integer.parseInt(new String(piece, UTF_8))) : piece;
        socket.writeBinaryMessage(Buffer.buffer().appendByte((byte) stream).appendBytes(told));
        if (stream == STATUS) {
          break;
        }
      }
    } catch (IOException ended) {
      // With its pod.
    }
    socket.close();
  }

  private static byte[] status(int code) {
    ObjectNode status = Json.MAPPER.createObjectNode().put("kind", "Status");
    status.putObject("metadata");
    if (code == 0) {
      status.put("status", "Success");
    } else {
      status.put("status", "Failure").put("reason", "NonZeroExitCode");
      status.put("message", "command terminated with non-zero exit code: exit status " + code);
      status
          .putObject("details")
          .putArray("causes")
          .addObject()
          .put("reason", "ExitCode")
          .put("message", Integer.toString(code));
    }
    return status.toString().getBytes(UTF_8);
  }
}
