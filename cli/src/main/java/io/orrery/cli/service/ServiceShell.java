package io.orrery.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.SocketOutput;
import io.orrery.cli.print.RawTerminal;
import io.orrery.core.json.Json;
import io.orrery.core.workload.TerminalSize;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The client of a terminal in a replica. With a terminal of its own it passes every key on; without
 * one it sends stdin, a line feed that is missing at its end, and then Ctrl-D until the shell has
 * ended: a program that reads its input takes one of them.
 */
public final class ServiceShell {
  private static final int PIECE = 4 * 1024;
  private static final byte[] LINE_FEED = {'\n'};
  private static final byte[] END_OF_INPUT = {4};
  private static final long AGAIN_SECONDS = 1;

  private final Session session;

  public ServiceShell(Session session) {
    this.session = session;
  }

  /**
   * Runs until the shell has ended.
   *
   * @param workload its id, such as {@code service-hello}
   * @return the exit code of the shell
   */
  public int run(String workload, @Nullable String replica, InputStream stdin) {
    Resource shell = Resource.of("workloads", workload, "shell").with("replica", replica);
    Output output = new Output(session.terminal().out());
    WebSocket socket = session.api().webSocket(shell, output);
    try (RawTerminal raw = RawTerminal.open(size -> send(socket, size))) {
      Thread input = new Thread(() -> copy(stdin, socket, raw, output), "shell-input");
      input.setDaemon(true);
      input.start();
      return output.ended().join();
    } catch (CompletionException e) {
      throw CommandFailure.failed("the shell broke off: " + String.valueOf(e.getCause()));
    } finally {
      socket.abort();
    }
  }

  /** One message at a time, whichever thread sends. */
  private static synchronized void send(WebSocket socket, TerminalSize size) {
    socket
        .sendText("{\"cols\":%d,\"rows\":%d}".formatted(size.columns(), size.rows()), true)
        .join();
  }

  private static synchronized void send(WebSocket socket, byte[] bytes, int length) {
    socket.sendBinary(ByteBuffer.wrap(bytes, 0, length), true).join();
  }

  private static void copy(
      InputStream stdin, WebSocket socket, RawTerminal terminal, Output output) {
    byte[] piece = new byte[PIECE];
    try {
      byte last = '\n';
      for (int length = stdin.read(piece); length >= 0; length = stdin.read(piece)) {
        send(socket, piece, length);
        last = length > 0 ? piece[length - 1] : last;
      }
      if (!terminal.isTerminal()) {
        if (last != '\n') {
          // Ctrl-D within a line does not end it.
          send(socket, LINE_FEED, LINE_FEED.length);
        }
        do {
          send(socket, END_OF_INPUT, END_OF_INPUT.length);
        } while (!output.endsWithin(AGAIN_SECONDS));
      }
    } catch (IOException | CompletionException gone) {
      socket.abort();
    }
  }

  /** The receiver of output. */
  private static final class Output extends SocketOutput<Integer> {
    private int exitCode = CommandFailure.FAILED;

    Output(PrintStream out) {
      super(out);
    }

    /** Waits for the end; false when it has not come. */
    boolean endsWithin(long seconds) {
      try {
        ended().get(seconds, TimeUnit.SECONDS);
      } catch (TimeoutException notYet) {
        return false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException e) {
        // The main thread tells of it.
      }
      return true;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      JsonNode code = Json.parse(data.toString()).path("exitCode");
      exitCode = code.isInt() ? code.intValue() : CommandFailure.FAILED;
      socket.request(1);
      return null;
    }

    @Override
    protected Integer closed() {
      return exitCode;
    }
  }
}
