package io.orrery.gateway.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Shells;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A terminal over a WebSocket: binary messages are input and output; a text message {@code
 * {"cols":80,"rows":24}} changes the size, and the last one of the server is {@code
 * {"exitCode":0}}. The socket is not read while input is being taken, and the shell is not read
 * while output is being sent.
 */
public final class ShellSocket {
  private static final Logger LOG = LoggerFactory.getLogger(ShellSocket.class);

  private static final short NORMAL = 1000;
  private static final short POLICY = 1008;
  private static final short OUR_FAULT = 1011;

  /** A reason has at most 123 bytes. */
  private static final int LONGEST_REASON = 120;

  private final Bus bus;
  private final ServerWebSocket socket;
  private @Nullable String shell;
  private boolean closed;

  public ShellSocket(Bus bus, ServerWebSocket socket) {
    this.bus = bus;
    this.socket = socket;
  }

  /** Opens a terminal. */
  void open(ReplicaRef replica, Actor by) {
    open(new Shells.OpenShell(replica, TerminalSize.USUAL, by, null));
  }

  /** Opens a terminal, or a connection to a port. */
  public void open(Shells.OpenShell wanted) {
    socket.pause();
    socket.exceptionHandler(broken -> LOG.debug("a terminal broke off: {}", broken.getMessage()));
    socket.closeHandler(gone -> close());
    socket.binaryMessageHandler(this::input);
    socket.textMessageHandler(this::resize);
    bus.request(Shells.OPEN, wanted)
        .onSuccess(opened -> {
          shell = opened.shell();
          if (closed) {
            end(opened.shell());
          } else {
            socket.resume();
            next(opened.shell());
          }
        })
        .onFailure(this::fail);
  }

  private void next(String name) {
    if (closed) {
      return;
    }
    bus.request(Shells.READ, new Shells.ReadShell(name))
        .compose(output -> {
          Future<Void> sent =
              output.bytes().length == 0
                  ? Future.succeededFuture()
                  : socket.writeBinaryMessage(Buffer.buffer(output.bytes()));
          return sent.compose(written -> output.ended() ? finish(output) : again(name));
        })
        .onFailure(this::fail);
  }

  private Future<Void> again(String name) {
    next(name);
    return Future.succeededFuture();
  }

  private Future<Void> finish(Shells.Output last) {
    ObjectNode end = Json.MAPPER.createObjectNode();
    end.put("exitCode", last.exitCode());
    shell = null;
    return socket.writeTextMessage(Json.write(end)).compose(told -> socket.close(NORMAL));
  }

  private void input(Buffer bytes) {
    String name = shell;
    if (name != null && bytes.length() > 0) {
      socket.pause();
      bus.request(Shells.WRITE, new Shells.WriteShell(name, bytes.getBytes()))
          .onSuccess(taken -> socket.resume())
          .onFailure(this::fail);
    }
  }

  private void resize(String text) {
    String name = shell;
    TerminalSize size = size(text);
    if (size == null) {
      closed = true;
      socket.close(POLICY, "a text message is {\"cols\":80,\"rows\":24}, each from 1 to 1000");
      close();
    } else if (name != null) {
      bus.request(Shells.RESIZE, new Shells.ResizeShell(name, size))
          .onFailure(failure -> LOG.debug("could not resize: {}", failure.getMessage()));
    }
  }

  private static @Nullable TerminalSize size(String text) {
    try {
      JsonNode json = Json.parse(text);
      return new TerminalSize(json.path("cols").asInt(), json.path("rows").asInt());
    } catch (ProblemException | IllegalArgumentException | UncheckedIOException other) {
      return null;
    }
  }

  private void fail(Throwable failure) {
    String why = Problem.of(failure).detail().replaceAll("[^ -~]", "?");
    if (!closed) {
      closed = true;
      socket.close(OUR_FAULT, why.substring(0, Math.min(why.length(), LONGEST_REASON)));
    }
    close();
  }

  private void close() {
    closed = true;
    String name = shell;
    if (name != null) {
      shell = null;
      end(name);
    }
  }

  private void end(String name) {
    bus.request(Shells.CLOSE, new Shells.CloseShell(name))
        .onFailure(failure -> LOG.debug("could not end a shell: {}", failure.getMessage()));
  }
}
