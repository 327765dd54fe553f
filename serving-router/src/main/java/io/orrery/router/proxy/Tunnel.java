package io.orrery.router.proxy;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetSocket;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A tunnel that joins two connections after an upgrade, WebSocket above all: bytes pass both ways,
 * each way as fast as its reader reads. What they mean (frames, pings, compression) is between the
 * two ends.
 */
final class Tunnel {
  private final Runnable moved;
  private final Runnable over;
  private final Backlog backlog;
  private final Consumer<Runnable> soon;
  private boolean ended;

  /**
   * @param moved bytes passed
   * @param over one end closed; called once
   * @param backlog what waits between the two
   * @param soon runs an action after what has already arrived
   */
  Tunnel(Runnable moved, Runnable over, Backlog backlog, Consumer<Runnable> soon) {
    this.backlog = backlog;
    this.soon = soon;
    this.moved = moved;
    this.over = over;
  }

  /**
   * Tells the client that its upgrade was granted, and joins.
   *
   * @param front the client's connection as bytes; null when it is not known
   * @param back the endpoint's
   */
  void open(
      HttpServerRequest request,
      @Nullable Channel front,
      HttpClientResponse granted,
      @Nullable Channel back) {
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
          backlog.sends(new Valve(client, front, moved, soon));
          backlog.answers(new Valve(endpoint, back, moved, soon));
          join(client, endpoint, back, backlog::toEndpoint);
          join(endpoint, client, front, backlog::toClient);
          endpoint.resume();
        })
        .onFailure(gone -> {
          endpoint.close();
          end();
        });
  }

  /** Counts a piece until it has been written. */
  private interface Counting {
    void piece(int bytes, Future<Void> written);
  }

  private void join(NetSocket from, NetSocket to, @Nullable Channel channel, Counting counting) {
    from.handler(piece -> {
      moved.run();
      to.write(piece);
      counting.piece(piece.length(), written(channel));
    });
    from.endHandler(end -> to.end());
    from.exceptionHandler(broken -> from.close());
    from.closeHandler(closed -> {
      to.close();
      end();
    });
  }

  /**
   * Completes when what was written before has gone. Vert.x does not tell of an upgraded connection
   * to an endpoint: its writes never complete.
   */
  private static Future<Void> written(@Nullable Channel channel) {
    if (channel == null) {
      return Future.succeededFuture();
    }
    Promise<Void> gone = Promise.promise();
    channel
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(done -> {
          if (done.isSuccess()) {
            gone.complete();
          } else {
            gone.fail(done.cause());
          }
        });
    return gone.future();
  }

  private void end() {
    if (!ended) {
      ended = true;
      over.run();
    }
  }
}
