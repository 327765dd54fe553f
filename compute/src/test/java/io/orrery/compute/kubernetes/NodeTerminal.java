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

/**
 * A command in the container of a pod of a {@link Node}, over a WebSocket as API servers have them:
 * a message is a byte for its stream and what belongs to that. It runs on when the WebSocket has
 * ended.
 */
final class NodeTerminal {
  private static final int STATUS = 3;

  /**
   * Runs a command, in a terminal where the first word says so. Reads a byte for the stream, four
   * for the length, and the bytes; writes the same.
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
      command = sys.argv[2:]
      if sys.argv[1] == 'tty':
          pid, terminal = pty.fork()
      else:
          output, inside = os.pipe()
          pid, terminal = os.fork(), output
          if pid == 0:
              os.dup2(inside, 1)
              os.dup2(inside, 2)
          else:
              os.close(inside)
      if pid == 0:
          signal.signal(signal.SIGINT, signal.SIG_DFL)
          os.execvp(command[0], command)
      sources = [0, terminal]
      while terminal in sources:
          for source in select.select(sources, [], [])[0]:
              if source == 0:
                  head = take(5)
                  if head is None:
                      sources.remove(0)
                      continue
                  stream, length = struct.unpack('>BI', head)
                  data = take(length)
                  if stream == 0:
                      while data:
                          data = data[os.write(terminal, data):]
                  elif stream == 4:
                      size = json.loads(data)
                      fcntl.ioctl(terminal, termios.TIOCSWINSZ,
                                  struct.pack('HHHH', size['Height'], size['Width'], 0, 0))
              else:
                  try:
                      data = os.read(terminal, 4096)
                  except OSError:
                      data = b''
                  if data:
                      tell(1, data)
                  else:
                      sources.remove(terminal)
      tell(3, str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())
      """;

  private NodeTerminal() {}

  /** The words of a process that runs a command so that {@link #relay} understands it. */
  static List<String> words(boolean terminal, List<String> command) {
    List<String> words = new ArrayList<>(List.of("python3", "-u", "-c", PROGRAM));
    words.add(terminal ? "tty" : "pipes");
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
