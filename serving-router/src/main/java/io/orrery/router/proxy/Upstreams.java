package io.orrery.router.proxy;

import io.netty.util.concurrent.EventExecutor;
import io.orrery.router.health.EndpointState;
import io.orrery.router.health.LiveTable;
import io.orrery.router.policy.WorkTurns;
import io.orrery.router.route.Service;
import io.orrery.router.wire.Mount;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The pools of one event loop; shadows have their own, so that they cannot use up connections. */
final class Upstreams {
  /** Room for the windows of as many streams: one that waits must not hold up the others. */
  private static final int CONNECTION_WINDOW = Pool.MOST_STREAMS * 64 * 1024;

  private final Mount mount;
  private final WorkTurns turns;
  private final EventExecutor loop;
  private final HttpClientAgent http1;
  private final HttpClientAgent h2c;
  private final Map<EndpointState, Pool> pools = new HashMap<>();
  private final List<Pool> drained = new ArrayList<>();

  /**
   * @param turns of the event loop, by which connections are made
   */
  Upstreams(Vertx vertx, Mount mount, WorkTurns turns) {
    this.mount = mount;
    this.turns = turns;
    this.loop = Mount.loop(vertx.getOrCreateContext());
    this.http1 = vertx.createHttpClient(limits());
    this.h2c =
        vertx.createHttpClient(
            limits()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setHttp2ConnectionWindowSize(CONNECTION_WINDOW)
                .setInitialSettings(new Http2Settings().setMaxHeaderListSize(HttpLoop.HEADER_BYTES))
                .setHttp2MultiplexingLimit(-1));
  }

  private static HttpClientOptions limits() {
    return new HttpClientOptions()
        .setMaxChunkSize(HttpLoop.CHUNK_BYTES)
        .setMaxHeaderSize(HttpLoop.HEADER_BYTES)
        .setKeepAlive(true)
        .setPipelining(false)
        .setDecompressionSupported(false);
  }

  /** The pool of an endpoint. */
  Pool pool(EndpointState endpoint) {
    Pool pool = pools.get(endpoint);
    if (pool == null) {
      HttpClientAgent client = endpoint.protocol() == Service.Protocol.H2C ? h2c : http1;
      pool = new Pool(client, endpoint, mount, turns, loop);
      pools.put(endpoint, pool);
    }
    return pool;
  }

  /** Drains the pools of endpoints that are in the table no more. */
  void keep(LiveTable table) {
    Set<EndpointState> kept = table.endpoints();
    for (Iterator<Map.Entry<EndpointState, Pool>> all = pools.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<EndpointState, Pool> entry = all.next();
      if (!kept.contains(entry.getKey())) {
        all.remove();
        entry.getValue().drain();
        drained.add(entry.getValue());
      }
    }
  }

  void sweep(long now) {
    pools.values().forEach(pool -> pool.sweep(now));
    drained.removeIf(pool -> {
      pool.drain();
      return pool.empty();
    });
  }

  Future<Void> close() {
    return Future.join(http1.close(), h2c.close()).mapEmpty();
  }
}
