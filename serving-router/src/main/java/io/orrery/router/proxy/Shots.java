package io.orrery.router.proxy;

import io.orrery.router.health.LiveTable;
import io.orrery.router.policy.BodyDigest;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.Service;
import io.orrery.router.route.Shadow;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The copies of one request for the shadows of the service that was asked. */
final class Shots {
  /** The characters that are kept of a path. */
  private static final int MOST_OF_PATH = 200;

  private final HttpLoop lane;
  private final Call call;
  private final List<Mirror.Shot> all = new ArrayList<>(0);
  private boolean released;

  Shots(HttpLoop lane, Call call) {
    this.lane = lane;
    this.call = call;
  }

  /** Begins a copy for each shadow that gets one, by chance where it gets a part. */
  void begin(LiveTable table) {
    Service owner = call.owner().service();
    List<Shadow> mirror = owner.mirror();
    if (mirror.isEmpty()) {
      return;
    }
    int[] places = table.table().mirrors(owner);
    for (int i = 0; i < places.length; i++) {
      double percent = mirror.get(i).share().percent();
      if (places[i] != RouteTable.ABSENT
          && (percent >= 100 || lane.random().nextDouble() * 100 < percent)) {
        Mirror.Shot shot =
            lane.mirror()
                .begin(
                    owner.id(),
                    table.states().get(places[i]),
                    mirror.get(i).compareBodies(),
                    line());
        if (shot != null) {
          all.add(shot);
        }
      }
    }
  }

  /** Method and path, without the query. */
  private String line() {
    String path = call.uri();
    int query = path.indexOf('?');
    int end = Math.min(query < 0 ? path.length() : query, MOST_OF_PATH);
    return call.facts().request().method().name() + " " + path.substring(0, end);
  }

  /** All of them; more may come until the body is read. */
  List<Mirror.Shot> all() {
    return all;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Sends them, as they know their whole body. */
  void release(@Nullable MultiMap trailers) {
    released = true;
    if (all.isEmpty()) {
      return;
    }
    HttpServerRequest request = call.facts().request();
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    HeaderRules.request(request, headers, call.authority(), call.facts().peer(), false);
    call.tellPrefix(headers);
    for (Mirror.Shot shot : all) {
      shot.send(request.method(), call.authority(), call.uri(), headers, trailers);
    }
  }

  /** The client has its answer, which those of the shadows are compared with. */
  void primary(int status, @Nullable BodyDigest digest, long took) {
    for (Mirror.Shot shot : all) {
      shot.primary(status, digest, took);
    }
  }

  /** The request is over: what was not sent is not sent any more. */
  void over() {
    if (!released) {
      all.forEach(Mirror.Shot::abandon);
    }
  }
}
