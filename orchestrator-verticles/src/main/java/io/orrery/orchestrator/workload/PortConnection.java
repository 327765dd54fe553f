package io.orrery.orchestrator.workload;

import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.ShellOutput;
import io.orrery.core.bus.contract.Shells.Output;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.TerminalSize;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;

/** A connection to a port of a replica, which is read and written like a terminal. */
final class PortConnection implements ReplicaShell {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final Context context;
  private final NetClient client;
  private final NetSocket socket;
  private final ShellOutput output;

  private PortConnection(Context context, Clock clock, NetClient client, NetSocket socket) {
    this.context = context;
    this.client = client;
    this.socket = socket;
    this.output = new ShellOutput(clock, () -> context.runOnContext(room -> socket.resume()));
    socket.handler(this::arrived);
    socket.exceptionHandler(broken -> ended());
    socket.closeHandler(gone -> ended());
  }

  /**
   * Opens one, on the context of the caller.
   *
   * @param endpoint {@code host:port}
   */
  static Future<ReplicaShell> open(Clock clock, String endpoint) {
    Vertx vertx = Vertx.currentContext().owner();
    Context context = vertx.getOrCreateContext();
    NetClient client =
        vertx.createNetClient(
            new NetClientOptions().setConnectTimeout((int) CONNECT.toMillis()).setTcpNoDelay(true));
    int colon = endpoint.lastIndexOf(':');
    String host = endpoint.substring(0, colon).replaceAll("[\\[\\]]", "");
    int port = Integer.parseInt(endpoint.substring(colon + 1));
    return client
        .connect(SocketAddress.inetSocketAddress(port, host))
        .<ReplicaShell>map(socket -> new PortConnection(context, clock, client, socket))
        .recover(failure ->
            client
                .close()
                .transform(closed ->
                    Future.failedFuture(
                        new Problem.Conflict(
                                "Nothing listens at %s: %s"
                                    .formatted(endpoint, failure.getMessage()))
                            .toException())));
  }

  private void arrived(Buffer bytes) {
    if (!output.add(bytes.getBytes(), bytes.length())) {
      socket.pause();
    }
  }

  private void ended() {
    output.end(null);
    client.close();
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
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> close() {
    Promise<Void> closed = Promise.promise();
    context.runOnContext(now -> socket.close().onComplete(closed));
    return closed.future();
  }
}
