package io.orrery.gateway.nni;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Dispatchers;
import io.orrery.core.bus.contract.Dispatchers.Arrived;
import io.orrery.core.bus.contract.Dispatchers.Done;
import io.orrery.core.bus.contract.Dispatchers.Left;
import io.orrery.core.bus.contract.Dispatchers.Part;
import io.orrery.core.bus.contract.Dispatchers.Said;
import io.orrery.core.bus.contract.Dispatchers.Tell;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The WebSocket {@code /tuner}, to which an NNI dispatcher connects in order to search. With an
 * experiment before it ({@code /experiments/<id>/tuner}) it means that one, else the one whose port
 * it is, else the newest; with a secret behind it, the one that the tuner module has started that
 * dispatcher for.
 *
 * <p>Messages are forwarded to and from the tuner module unread. A dispatcher that does not answer
 * pings is disconnected after a while, and may reconnect.
 */
final class TunerSocket {
  private static final Logger LOG = LoggerFactory.getLogger(TunerSocket.class);
  private static final int MOST_CONNECTIONS = 1_000;
  private static final Duration BETWEEN_PINGS = Duration.ofSeconds(5);
  private static final int MOST_UNANSWERED = 3;
  private static final short GOING_AWAY = 1001;
  private static final short REFUSED = 1008;
  private static final short TRY_AGAIN_LATER = 1013;

  /** NNI's own codes. */
  private static final short MEANT = 4000;

  private static final short FORCED = 4001;
  private static final int LONGEST_REASON = 100;

  private final Bus bus;
  private final Clock clock;
  private final NniTarget target;
  private final String name;
  private final Map<String, ServerWebSocket> sockets = new HashMap<>();
  private long count;

  /**
   * @param name unlike that of any other start of the server: part of the names of connections
   */
  TunerSocket(Bus bus, Clock clock, NniTarget target, String name) {
    this.bus = bus;
    this.clock = clock;
    this.target = target;
    this.name = name;
  }

  void mount(ApiRouter router) {
    for (String path : List.of("/tuner", "/experiments/:experiment/tuner", "/:prefix/tuner")) {
      router.webSocket(
          path,
          RouteNeed.CHECKED,
          context -> {
            Future<ExperimentId> experiment = target.id(context);
            return socket ->
                open(socket, experiment, (connection, id) -> new Arrived(connection, id, null));
          });
    }
    router.webSocket(
        "/tuner/:secret",
        RouteNeed.ATTEMPT,
        context -> {
          String secret = context.pathParam("secret");
          return socket ->
              open(
                  socket,
                  Future.succeededFuture(),
                  (connection, none) -> new Arrived(connection, null, secret));
        });
  }

  /** Answers what the tuner module says; called on the edge's event loop. */
  void listening() {
    Future.all(bus.serve(Dispatchers.TELL, this::tell), bus.serve(Dispatchers.PART, this::part))
        .onFailure(e -> LOG.error("could not serve the addresses of NNI's dispatchers", e));
  }

  void close() {
    Map.copyOf(sockets).values().forEach(socket -> socket.close(GOING_AWAY));
  }

  /** Nothing is read before the tuner module has taken it in. */
  private <T> void open(
      ServerWebSocket socket, Future<T> meant, BiFunction<String, T, Arrived> arrival) {
    if (sockets.size() >= MOST_CONNECTIONS) {
      socket.close(TRY_AGAIN_LATER, "too many dispatchers");
      return;
    }
    String connection = name + "-" + count++;
    sockets.put(connection, socket);
    socket.pause();
    socket.textMessageHandler(message -> post(Dispatchers.SAID, new Said(connection, message)));
    socket.exceptionHandler(broken -> LOG.debug("a dispatcher: {}", broken.getMessage()));
    socket.closeHandler(closed -> {
      sockets.remove(connection);
      post(Dispatchers.LEFT, new Left(connection));
    });
    meant
        .compose(id -> bus.request(Dispatchers.ARRIVED, arrival.apply(connection, id)))
        .onSuccess(welcome -> {
          ping(connection, new AtomicInteger());
          socket.resume();
        })
        .onFailure(failure -> {
          // A reason has at most 123 bytes.
          String why = Problem.of(failure).detail().replaceAll("[^ -~]", "?");
          LOG.info("refused an NNI dispatcher: {}", why);
          socket.close(REFUSED, why.substring(0, Math.min(why.length(), LONGEST_REASON)));
        });
  }

  private <Q> void post(Address<Q, Done> address, Q message) {
    bus.request(address, message)
        .onFailure(
            e -> LOG.warn("could not forward a message of an NNI dispatcher: {}", e.getMessage()));
  }

  private void ping(String connection, AtomicInteger unanswered) {
    ServerWebSocket socket = sockets.get(connection);
    if (socket == null) {
      return;
    }
    if (unanswered.getAndIncrement() > MOST_UNANSWERED) {
      socket.close(FORCED, "no answer");
      return;
    }
    socket.pongHandler(pong -> unanswered.set(0));
    socket.writePing(Buffer.buffer()).onFailure(e -> LOG.debug("no ping: {}", e.getMessage()));
    clock.after(BETWEEN_PINGS, () -> ping(connection, unanswered));
  }

  private Future<Done> tell(Tell tell) {
    return socket(tell.connection()).writeTextMessage(tell.message()).map(sent -> new Done());
  }

  private Future<Done> part(Part part) {
    return socket(part.connection()).close(MEANT).map(closed -> new Done());
  }

  private ServerWebSocket socket(String connection) {
    ServerWebSocket socket = sockets.get(connection);
    if (socket == null) {
      throw new Problem.NotFound("The dispatcher's connection is closed.").toException();
    }
    return socket;
  }
}
