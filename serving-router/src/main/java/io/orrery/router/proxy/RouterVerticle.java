package io.orrery.router.proxy;

import io.orrery.router.policy.Loop;
import io.orrery.router.policy.Surroundings;
import io.orrery.router.route.RouterFile.Listen;
import io.orrery.router.route.RouterFile.Tls;
import io.orrery.router.tcp.PortListeners;
import io.orrery.router.wire.Mount;
import io.orrery.router.wire.Wire;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A verticle that runs one event loop of the router. Deployed once for each loop; all of them
 * listen on the same port and the connections are dealt out among them.
 */
public final class RouterVerticle extends VerticleBase {
  private static final long TICK_MILLIS = 50;

  private final Listen listen;
  private final Surroundings surroundings;
  private final Mount mount;
  private final int number;
  private final int lanes;
  private final RandomGenerator random;
  private @Nullable Loop loop;
  private @Nullable HttpLoop lane;
  private @Nullable Wire wire;
  private @Nullable HttpServer server;
  private @Nullable PortListeners ports;

  /**
   * @param mount where requests may be taken before the server sees them
   * @param number which one this is, from 0
   * @param lanes how many of these are deployed
   */
  public RouterVerticle(
      Listen listen,
      Surroundings surroundings,
      Mount mount,
      int number,
      int lanes,
      RandomGenerator random) {
    this.listen = listen;
    this.surroundings = surroundings;
    this.mount = mount;
    this.number = number;
    this.lanes = lanes;
    this.random = random;
  }

  @Override
  public Future<?> start() {
    Loop turns = new Loop(surroundings, number, lanes, random, Mount.loop(context));
    HttpServerOptions options = options();
    Wire before = new Wire(turns, mount, options, listen.fastPath());
    if (!before.open()) {
      return Future.failedFuture(new EventLoopTakenException());
    }
    wire = before;
    loop = turns;
    HttpLoop own = new HttpLoop(vertx, turns, before, mount, options);
    lane = own;
    PortListeners listeners = new PortListeners(turns, mount, context, lanes);
    ports = listeners;
    listeners.open();
    vertx.setPeriodic(TICK_MILLIS, id -> tick(turns, own, listeners));
    HttpServer listening =
        vertx
            .createHttpServer(options)
            .connectionHandler(own::opened)
            .invalidRequestHandler(own::unreadable)
            .requestHandler(own::accept);
    server = listening;
    return listening
        .listen(listen.address().port(), listen.address().host())
        .onSuccess(open -> before.openOnly(open.actualPort()));
  }

  /** Another table is in force: what waits for it goes on; completes on the event loop, soon. */
  public Future<Void> turn() {
    return Future.future(promise ->
        home()
            .runOnContext(go -> {
              if (loop != null && lane != null && ports != null) {
                tick(loop, lane, ports);
              }
              promise.complete();
            }));
  }

  private void tick(Loop turns, HttpLoop own, PortListeners listeners) {
    boolean newTable = turns.tick();
    own.tick(newTable);
    listeners.tick(newTable);
    if (wire != null) {
      wire.tick(newTable);
    }
  }

  private HttpServerOptions options() {
    HttpServerOptions options =
        new HttpServerOptions()
            .setMaxChunkSize(HttpLoop.CHUNK_BYTES)
            .setMaxHeaderSize(HttpLoop.HEADER_BYTES)
            .setMaxInitialLineLength(HttpLoop.LINE_BYTES)
            .setHandle100ContinueAutomatically(false)
            .setTcpNoDelay(true)
            .setStrictThreadMode(true)
            .setAcceptBacklog(4096)
            .setReusePort(listen.reusePort())
            // Frames pass as they are: endpoint and client say whether they are compressed. The
            // handlers for it would look at every request and answer all the same.
            .setPerFrameWebSocketCompressionSupported(false)
            .setPerMessageWebSocketCompressionSupported(false)
            .setInitialSettings(
                new Http2Settings()
                    .setMaxConcurrentStreams(
                        HttpServerOptions.DEFAULT_INITIAL_SETTINGS_MAX_CONCURRENT_STREAMS)
                    .setMaxHeaderListSize(HttpLoop.HEADER_BYTES))
            .setHttp2ClearTextEnabled(true);
    if (!listen.tls().isEmpty()) {
      options
          .setSsl(true)
          .setUseAlpn(true)
          .setSni(true)
          .setSslEngineOptions(TlsEngine.options())
          .setKeyCertOptions(new Certificates(listen.tls()));
    }
    return options;
  }

  /** The context of its event loop; IllegalStateException before it was deployed. */
  public Context home() {
    if (context == null) {
      throw new IllegalStateException("the event loop has not been deployed yet");
    }
    return context;
  }

  /** The port that is bound; IllegalStateException before the deployment has succeeded. */
  public int actualPort() {
    if (server == null) {
      throw new IllegalStateException("the router does not listen yet");
    }
    return server.actualPort();
  }

  /**
   * Reads the certificates again; new connections get the new ones.
   *
   * @return fails when one of them cannot be used, and then the old ones stay
   */
  public Future<Void> certificates(List<Tls> tls) {
    HttpServer listening = server;
    if (listening == null || tls.isEmpty()) {
      return Future.succeededFuture();
    }
    ServerSSLOptions options = new ServerSSLOptions();
    options.setKeyCertOptions(new Certificates(tls));
    options.setSni(true);
    options.setUseAlpn(true);
    options.setApplicationLayerProtocols(List.of("h2", "http/1.1"));
    return listening.updateSSLOptions(options, true).mapEmpty();
  }

  /** From now on answers tell clients to open a new connection, which may be a successor's. */
  public void leave() {
    Loop turns = loop;
    if (turns != null) {
      context.runOnContext(go -> turns.leave());
    }
  }

  /** Stops listening and completes when everything under way is over, or after so many seconds. */
  public Future<Void> drain(long seconds) {
    HttpServer listening = server;
    PortListeners listeners = ports;
    if (listening == null || listeners == null) {
      return Future.succeededFuture();
    }
    Future<Void> connections = listeners.drain().timeout(Math.max(1, seconds), TimeUnit.SECONDS);
    return Future.join(listening.shutdown(seconds, TimeUnit.SECONDS), connections).mapEmpty();
  }

  @Override
  public Future<?> stop() {
    if (wire != null) {
      wire.close();
    }
    if (ports != null) {
      ports.close();
    }
    return lane == null ? Future.succeededFuture() : lane.close();
  }
}
