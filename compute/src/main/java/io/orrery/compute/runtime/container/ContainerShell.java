package io.orrery.compute.runtime.container;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.ShellOutput;
import io.orrery.compute.runtime.TerminalResizes;
import io.orrery.compute.runtime.replica.ShellMark;
import io.orrery.core.bus.contract.Shells.Output;
import io.orrery.core.json.Json;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A terminal on a shell in a container: {@code exec} of the engine, whose connection is taken over
 * for the bytes of both directions.
 */
final class ContainerShell implements ReplicaShell {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerShell.class);

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int LONGEST_HEAD = 16 * 1024;

  private final EngineClient client;
  private final String container;
  private final ShellMark mark;
  private final String exec;
  private final NetSocket socket;
  private final ShellOutput output;
  private final TerminalResizes resizes = new TerminalResizes(this::resizeNow);

  private ContainerShell(
      EngineClient client,
      String container,
      ShellMark mark,
      String exec,
      NetSocket socket,
      Clock clock) {
    this.client = client;
    this.container = container;
    this.mark = mark;
    this.exec = exec;
    this.socket = socket;
    this.output = new ShellOutput(clock, socket::resume);
  }

  /** Starts a shell in a container that runs. */
  static Future<ReplicaShell> open(
      EngineClient client, Clock clock, String container, TerminalSize size) {
    ShellMark mark = ShellMark.next(clock);
    return created(client, container, mark.begin(), true)
        .compose(exec ->
            client
                .connect()
                .compose(socket ->
                    new ContainerShell(client, container, mark, exec, socket, clock).begin(size)));
  }

  /** The id of a command that can be started in a container. */
  private static Future<String> created(
      EngineClient client, String container, List<String> command, boolean terminal) {
    ObjectNode body = Json.MAPPER.createObjectNode();
    body.put("AttachStdin", terminal).put("AttachStdout", true).put("AttachStderr", true);
    body.put("Tty", terminal);
    ArrayNode words = body.putArray("Cmd");
    command.forEach(words::add);
    return client
        .call(HttpMethod.POST, "/containers/" + container + "/exec", body, LIMIT)
        .map(created -> created.path("Id").asText());
  }

  private Future<ReplicaShell> begin(TerminalSize size) {
    Promise<Void> begun = Promise.promise();
    ObjectNode body = Json.MAPPER.createObjectNode();
    body.put("Detach", false).put("Tty", true);
    body.put("h", size.rows()).put("w", size.columns());
    String json = Json.write(body);
    Buffer head = Buffer.buffer();
    socket.handler(bytes -> head(head, bytes, begun));
    socket.exceptionHandler(begun::tryFail);
    socket.closeHandler(closed -> {
      begun.tryFail(
          new EngineException(EngineException.SILENT, "the engine closed the connection"));
      over();
    });
    socket.write(
        """
        POST %s/exec/%s/start HTTP/1.1\r
        Host: localhost\r
        Connection: Upgrade\r
        Upgrade: tcp\r
        Content-Type: application/json\r
        Content-Length: %d\r
        \r
        %s\
        """
            .formatted(client.prefix(), exec, json.length(), json));
    return begun
        .future()
        .compose(started -> resize(size).otherwiseEmpty())
        .<ReplicaShell>map(this)
        .onFailure(failure -> socket.close());
  }

  /** Reads the head of the answer; what follows is output. */
  private void head(Buffer head, Buffer bytes, Promise<Void> begun) {
    head.appendBuffer(bytes);
    String text = head.toString(StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      if (head.length() > LONGEST_HEAD) {
        socket.close();
      }
      return;
    }
    String status = text.substring(0, text.indexOf('\r'));
    if (!status.contains(" 101 ") && !status.contains(" 200 ")) {
      begun.tryFail(
          new EngineException(
              EngineException.REFUSED,
              "the engine refused the shell: " + text.substring(end).strip()));
      socket.close();
      return;
    }
    socket.handler(this::take);
    begun.tryComplete();
    Buffer rest = head.getBuffer(end + 4, head.length());
    if (rest.length() > 0) {
      take(rest);
    }
  }

  private void take(Buffer bytes) {
    if (!output.add(bytes.getBytes(), bytes.length())) {
      socket.pause();
    }
  }

  private void over() {
    state().onComplete((state, failure) -> output.end(exitCode(state)));
  }

  private static @Nullable Integer exitCode(@Nullable JsonNode state) {
    return state == null || state.path("Running").asBoolean() || !state.hasNonNull("ExitCode")
        ? null
        : Integer.valueOf(state.path("ExitCode").asInt());
  }

  private Future<JsonNode> state() {
    return client.call(HttpMethod.GET, "/exec/" + exec + "/json", null, LIMIT);
  }

  @Override
  public Future<Output> read() {
    return output.read();
  }

  @Override
  public Future<Void> write(byte[] input) {
    return socket.write(Buffer.buffer(input));
  }

  @Override
  public Future<Void> resize(TerminalSize size) {
    return resizes.to(size);
  }

  private Future<Void> resizeNow(TerminalSize size) {
    return client
        .call(
            HttpMethod.POST,
            "/exec/%s/resize?h=%d&w=%d".formatted(exec, size.rows(), size.columns()),
            null,
            LIMIT)
        .mapEmpty();
  }

  /** Engines let a shell run on whose connection has ended, with all that it has started. */
  @Override
  public Future<Void> close() {
    return created(client, container, mark.end(), false)
        .compose(end ->
            client.call(
                HttpMethod.POST,
                "/exec/" + end + "/start",
                Json.MAPPER.createObjectNode().put("Detach", false).put("Tty", false),
                LIMIT))
        .onFailure(failure -> LOG.debug("could not end a shell: {}", failure.getMessage()))
        .transform(done -> socket.close());
  }
}
