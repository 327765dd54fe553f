package io.orrery.core.sql;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

/** Stands between a store and its server, and cuts the connection around a commit when told to. */
final class CuttingProxy {
  /** A fate of the next commit. */
  enum Next {
    PASSES,

    /** The server never hears of it. */
    IS_LOST,

    /** The server makes it, and its answer is lost. */
    IS_NOT_ANSWERED
  }

  private final Vertx vertx;

  /** Kept, because a client without a reference is closed with its connections by the collector. */
  private final NetClient client;

  private final int serverPort;
  private final AtomicReference<Next> next = new AtomicReference<>(Next.PASSES);

  private CuttingProxy(Vertx vertx, int serverPort) {
    this.vertx = vertx;
    this.client = vertx.createNetClient();
    this.serverPort = serverPort;
  }

  static CuttingProxy before(Vertx vertx, int serverPort) {
    return new CuttingProxy(vertx, serverPort);
  }

  /** Starts to listen; the port. */
  Future<Integer> listen() {
    return vertx
        .createNetServer()
        .connectHandler(this::connected)
        .listen(0, "127.0.0.1")
        .map(NetServer::actualPort);
  }

  /** Decides about the next commit; those after it pass. */
  void commit(Next fate) {
    next.set(fate);
  }

  /** Whether the commit that was decided about has come. */
  boolean hasCut() {
    return next.get() == Next.PASSES;
  }

  private void connected(NetSocket from) {
    from.pause();
    client
        .connect(serverPort, "127.0.0.1")
        .onSuccess(server -> join(from, server))
        .onFailure(failure -> from.close());
  }

  private void join(NetSocket client, NetSocket server) {
    client.closeHandler(done -> server.close());
    server.closeHandler(done -> client.close());
    server.handler(client::write);
    client.handler(message -> pass(message, client, server));
    client.resume();
  }

  private void pass(Buffer message, NetSocket client, NetSocket server) {
    boolean commit = message.toString(StandardCharsets.ISO_8859_1).contains("commit\0");
    switch (commit ? next.getAndSet(Next.PASSES) : Next.PASSES) {
      case PASSES -> server.write(message);
      case IS_LOST -> client.close();
      case IS_NOT_ANSWERED -> {
        server.handler(answer -> client.close());
        server.write(message);
      }
    }
  }
}
