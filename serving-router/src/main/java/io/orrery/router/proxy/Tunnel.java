package io.orrery.router.proxy;

import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetSocket;

/**
 * Two connections joined after an upgrade, WebSocket above all: bytes pass both ways, each way as
 * fast as its reader reads. What they mean (frames, pings, compression) is between the two ends.
 */
final class Tunnel {
  private final Runnable moved;
  private final Runnable over;
  private boolean ended;

  /**
   * @param moved bytes passed
   * @param over one end closed; called once
   */
  Tunnel(Runnable moved, Runnable over) {
    this.moved = moved;
    this.over = over;
  }

  /** Tells the client that its upgrade was granted, and joins. */
  void open(HttpServerRequest request, HttpClientResponse granted) {
    String protocol = granted.getHeader(HttpHeaders.UPGRADE);
    HeaderRules.response(granted.headers(), request.response().headers());
    request.response().setStatusCode(101).putHeader(HttpHeaders.CONNECTION, "Upgrade");
    if (protocol != null) {
      request.response().putHeader(HttpHeaders.UPGRADE, protocol);
    }
    NetSocket endpoint = granted.netSocket();
    endpoint.pause();
    request
        .toNetSocket()
        .onSuccess(client -> {
          join(client, endpoint);
          join(endpoint, client);
          endpoint.resume();
        })
        .onFailure(gone -> {
          endpoint.close();
          end();
        });
  }

  private void join(NetSocket from, NetSocket to) {
    from.handler(piece -> {
      moved.run();
      to.write(piece);
      if (to.writeQueueFull()) {
        from.pause();
        to.drainHandler(room -> from.resume());
      }
    });
    from.endHandler(end -> to.end());
    from.exceptionHandler(broken -> from.close());
    from.closeHandler(closed -> {
      to.close();
      end();
    });
  }

  private void end() {
    if (!ended) {
      ended = true;
      over.run();
    }
  }
}
