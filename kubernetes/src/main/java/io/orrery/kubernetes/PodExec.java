package io.orrery.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Percent;
import io.orrery.core.workload.TerminalSize;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command that runs in a container of a pod ({@code pods/exec}). Its streams are the messages of
 * a WebSocket, each of which begins with the number of its stream. Thread safe.
 */
public final class PodExec {
  private static final Logger LOG = LoggerFactory.getLogger(PodExec.class);

  /** The protocol that can say that a stream has ended. */
  private static final String ENDING = "v5.channel.k8s.io";

  private static final List<String> PROTOCOLS = List.of(ENDING, "v4.channel.k8s.io");

  private static final byte STDIN = 0;
  private static final byte STDOUT = 1;
  private static final byte STDERR = 2;
  private static final byte STATUS = 3;
  private static final byte SIZE = 4;

  /** Of a message that names the stream that has ended. */
  private static final byte END = (byte) 255;

  /** API servers take each frame for a message, so none may be divided. */
  private static final int LONGEST = 16 * 1024;

  private static final long PING_MILLIS = 30_000;
  private static final int MOST_UNANSWERED = 3;

  private final WebSocket socket;
  private final Streams streams;
  private final Context loop;
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile boolean paused;

  /** The pings since the last message; of the event loop. */
  private int unanswered;

  /** The messages so far; of the event loop. */
  private long taken;

  /** Whether the connection has been closed; of the event loop. */
  private boolean closed;

  private PodExec(WebSocket socket, Streams streams, Context loop) {
    this.socket = socket;
    this.streams = streams;
    this.loop = loop;
  }

  /** A receiver of what a command writes; called on an event loop. */
  public interface Streams {
    /** Takes a piece; false when no more should come before {@link PodExec#resume}. */
    boolean output(byte[] piece);

    /** Takes a piece of stderr, where the command has one of its own; as {@link #output}. */
    default boolean error(byte[] piece) {
      return output(piece);
    }

    /**
     * Told the end, once.
     *
     * @param exitCode null when it is not known
     * @param failure the words of the cluster about a command that did not begin or broke off
     */
    void ended(@Nullable Integer exitCode, @Nullable String failure);
  }

  /**
   * Starts a command. Blocks until the API server has begun.
   *
   * @param size of the terminal that it has; null when it has none, and no input
   * @throws ProblemException when the API server refuses, or cannot be reached
   */
  public static PodExec begin(
      Cluster cluster,
      Vertx vertx,
      String pod,
      String container,
      List<String> command,
      @Nullable TerminalSize size,
      Streams streams) {
    // What a terminal shows has no stderr of its own.
    String asked = size == null ? "&stdout=true&stderr=true" : "&stdin=true&stdout=true&tty=true";
    return begin(cluster, vertx, pod, container, asked, command, size, streams);
  }

  /**
   * Starts a command with pipes: it has input, and output and errors apart. Blocks until the API
   * server has begun.
   *
   * @throws ProblemException when the API server refuses, or cannot be reached
   */
  public static PodExec pipe(
      Cluster cluster,
      Vertx vertx,
      String pod,
      String container,
      List<String> command,
      Streams streams) {
    String asked = "&stdin=true&stdout=true&stderr=true";
    return begin(cluster, vertx, pod, container, asked, command, null, streams);
  }

  private static PodExec begin(
      Cluster cluster,
      Vertx vertx,
      String pod,
      String container,
      String asked,
      List<String> command,
      @Nullable TerminalSize size,
      Streams streams) {
    StringBuilder path = new StringBuilder(cluster.path(ResourceType.POD, pod));
    path.append("/exec?container=").append(Percent.encoded(container)).append(asked);
    command.forEach(word -> path.append("&command=").append(Percent.encoded(word)));
    CompletableFuture<PodExec> begun = new CompletableFuture<>();
    cluster
        .calls()
        .open(
            "run a command in the Pod " + pod,
            path.toString(),
            PROTOCOLS,
            socket -> {
              PodExec exec = new PodExec(socket, streams, vertx.getOrCreateContext());
              exec.begin(vertx, size);
              begun.complete(exec);
            });
    return begun.join();
  }

  private void begin(Vertx vertx, @Nullable TerminalSize size) {
    socket.binaryMessageHandler(this::take);
    socket.frameHandler(any -> unanswered = 0);
    socket.pongHandler(any -> unanswered = 0);
    socket.exceptionHandler(e -> LOG.debug("could not read a message of a pod", e));
    long pings = vertx.setPeriodic(PING_MILLIS, tick -> ping());
    socket.closeHandler(end -> {
      vertx.cancelTimer(pings);
      closed = true;
      drain();
    });
    if (size != null) {
      resize(size).onFailure(e -> LOG.debug("could not resize the terminal of a pod", e));
    }
  }

  /** Takes what came before the connection was closed and waits because it was paused. */
  private void drain() {
    long before = taken;
    paused = false;
    socket.resume();
    loop.runOnContext(turn -> {
      if (taken == before) {
        end(null, "the connection to the pod broke off");
      } else {
        drain();
      }
    });
  }

  /**
   * Counts pings that a dead server does not answer; a server that is not read now cannot answer.
   */
  private void ping() {
    if (paused) {
      unanswered = 0;
    } else if (++unanswered > MOST_UNANSWERED) {
      close();
    } else {
      socket
          .writePing(Buffer.buffer())
          .onFailure(e -> LOG.debug("could not ask whether a pod is there", e));
    }
  }

  private void take(Buffer message) {
    taken++;
    if (message.length() < 2) {
      // A stream that has begun.
      return;
    }
    switch (message.getByte(0)) {
      case STDOUT -> pauseUnless(streams.output(message.getBytes(1, message.length())));
      case STDERR -> pauseUnless(streams.error(message.getBytes(1, message.length())));
      case STATUS -> {
        status(message.getString(1, message.length()));
        close();
      }
      case END -> LOG.trace("stream {} of a pod has ended", message.getByte(1));
      default -> LOG.debug("skipping a message of the unknown stream {}", message.getByte(0));
    }
  }

  private void pauseUnless(boolean hasRoom) {
    if (!hasRoom && !closed) {
      paused = true;
      socket.pause();
    }
  }

  private void status(String text) {
    JsonNode status;
    try {
      status = Json.parse(text);
    } catch (ProblemException e) {
      end(null, text);
      return;
    }
    if (status.path("status").asText().equals("Success")) {
      end(0, null);
      return;
    }
    Integer code = null;
    for (JsonNode cause : status.at("/details/causes")) {
      String value = cause.path("message").asText();
      if (cause.path("reason").asText().equals("ExitCode") && value.matches("[0-9]{1,9}")) {
        code = Integer.valueOf(value);
      }
    }
    end(code, code == null ? status.path("message").asText("no reason given") : null);
  }

  private void end(@Nullable Integer code, @Nullable String failure) {
    if (over.compareAndSet(false, true)) {
      streams.ended(code, failure);
    }
  }

  /**
   * Has more output come. May be called by another thread as soon as {@link Streams#output} has put
   * its piece where that thread sees it, so it waits its turn behind the pause that follows.
   */
  public void resume() {
    loop.runOnContext(turn -> {
      paused = false;
      socket.resume();
    });
  }

  /** Writes input; completes when it is taken. */
  public Future<Void> write(byte[] input) {
    Future<Void> last = Future.succeededFuture();
    for (int from = 0; from < input.length; from += LONGEST) {
      int length = Math.min(LONGEST, input.length - from);
      last = send(Buffer.buffer(length + 1).appendByte(STDIN).appendBytes(input, from, length));
    }
    return last;
  }

  /**
   * Ends the input: the command reads no more behind what was written. API servers before 1.30 have
   * no word for that, so a command must know by its input itself when it has all.
   */
  public Future<Void> endInput() {
    return ENDING.equals(socket.subProtocol())
        ? send(Buffer.buffer(new byte[] {END, STDIN}))
        : Future.succeededFuture();
  }

  /** Tells the terminal its size. */
  public Future<Void> resize(TerminalSize size) {
    String json = "{\"Width\":%d,\"Height\":%d}".formatted(size.columns(), size.rows());
    return send(Buffer.buffer().appendByte(SIZE).appendString(json));
  }

  private Future<Void> send(Buffer message) {
    return socket.writeBinaryMessage(message);
  }

  /** Closes the connection; whether that ends the command depends on the node. */
  public void close() {
    socket.close().onFailure(e -> LOG.debug("could not close a WebSocket", e));
  }
}
