package io.orrery.tuner.host;

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
import io.orrery.core.space.SearchSpace;
import io.orrery.core.time.Clock;
import io.orrery.tuner.dispatcher.Command.Spelling;
import io.orrery.tuner.dispatcher.Doorplate;
import io.orrery.tuner.dispatcher.SocketLine;
import io.orrery.tuner.dispatcher.StockDispatcher.Expected;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the connections of dispatchers. One that we have started shows the secret that it was
 * given. One that a user has started is the guest of an experiment: it takes the place of the
 * experiment's tuner, until it leaves.
 *
 * <p>A connection that breaks may be opened again within half a minute, as with NNI's manager.
 *
 * <p>All methods run on the event loop, but {@link #expect} and {@link #guest}, which an
 * algorithm's thread may call.
 */
final class DispatcherHandler {
  private static final Logger LOG = LoggerFactory.getLogger(DispatcherHandler.class);
  private static final Duration AWAY = Duration.ofSeconds(30);

  private final Bus bus;
  private final Clock clock;
  private final Doorplate doorplate;
  private final Hosts hosts;

  /** Children of ours that may connect, by their secrets. */
  private final Map<String, SocketLine> expected = new ConcurrentHashMap<>();

  private final Map<ExperimentId, Guest> guests = new ConcurrentHashMap<>();
  private final Map<String, SocketLine> connections = new HashMap<>();

  /** The tuners that guests take the place of. */
  @FunctionalInterface
  interface Hosts {
    /** A guest has come or gone; false when that experiment does not search. */
    boolean renew(ExperimentId experiment);
  }

  /** A guest, and what it is to its host once it has been greeted. */
  private static final class Guest {
    final SocketLine line = new SocketLine(Spelling.OBJECT);
    @Nullable GuestTuner tuner;
  }

  /**
   * @param hosts who searches when no guest does
   */
  DispatcherHandler(Bus bus, Clock clock, Doorplate doorplate, Hosts hosts) {
    this.bus = bus;
    this.clock = clock;
    this.doorplate = doorplate;
    this.hosts = hosts;
  }

  /** Opens the desk. */
  Future<?> open() {
    return Future.all(
        List.of(
            bus.serve(Dispatchers.ARRIVED, this::arrived),
            bus.serve(Dispatchers.SAID, this::said),
            bus.serve(Dispatchers.LEFT, this::left)));
  }

  /** A child of ours is about to connect. */
  Expected expect(Spelling spelling) {
    SocketLine line = new SocketLine(spelling);
    String secret = doorplate.secret();
    expected.values().removeIf(SocketLine::isOver);
    expected.put(secret, line);
    return new Expected(line, doorplate.url(secret));
  }

  /**
   * The tuner of the guest that an experiment has, ready to be told the past; null without a guest.
   * Blocks until the guest is ready.
   */
  @Nullable GuestTuner guest(ExperimentId experiment, SearchSpace space)
      throws InterruptedException {
    Guest guest = guests.get(experiment);
    if (guest == null || guest.line.isOver()) {
      return null;
    }
    GuestTuner known = guest.tuner;
    if (known != null) {
      known.open(space);
      return known;
    }
    GuestTuner tuner = new GuestTuner(DispatchedAlgorithm.greet(guest.line, space), space);
    guest.tuner = tuner;
    return tuner;
  }

  /** Whether a guest searches in place of the experiment's own tuner. */
  boolean hasGuest(ExperimentId experiment) {
    Guest guest = guests.get(experiment);
    return guest != null && !guest.line.isOver();
  }

  /** The experiment is over: its guest is told to go. */
  void dismiss(ExperimentId experiment) {
    Guest guest = guests.remove(experiment);
    if (guest != null) {
      guest.line.close();
    }
  }

  private Future<Done> arrived(Arrived arrived) {
    String token = arrived.token();
    ExperimentId experiment = arrived.experiment();
    SocketLine line;
    if (token != null) {
      line = expected.get(token);
      if (line == null) {
        throw new Problem.Forbidden("No experiment expects a dispatcher with this token.")
            .toException();
      }
    } else if (experiment != null) {
      line = welcome(experiment);
    } else {
      throw new Problem.NotFound("There is no experiment for a dispatcher to search for.")
          .toException();
    }
    if (line.isConnected()) {
      throw new Problem.Conflict("Another dispatcher is connected already.").toException();
    }
    connections.put(arrived.connection(), line);
    line.connected(
        new SocketLine.Socket() {
          @Override
          public void tell(String message) {
            quietly(bus.request(Dispatchers.TELL, new Tell(arrived.connection(), message)));
          }

          @Override
          public void part() {
            quietly(bus.request(Dispatchers.PART, new Part(arrived.connection())));
          }
        });
    return Future.succeededFuture(new Done());
  }

  private SocketLine welcome(ExperimentId experiment) {
    Guest guest = guests.get(experiment);
    if (guest != null && !guest.line.isOver()) {
      return guest.line;
    }
    Guest fresh = new Guest();
    guests.put(experiment, fresh);
    if (!hosts.renew(experiment)) {
      guests.remove(experiment);
      throw new Problem.Conflict(
              "Experiment " + experiment + " does not search: only a running one has a tuner.")
          .toException();
    }
    LOG.info("an NNI dispatcher connected for experiment {}", experiment);
    return fresh.line;
  }

  private Future<Done> said(Said said) {
    SocketLine line = connections.get(said.connection());
    if (line != null) {
      line.heard(said.message());
      if (line.isOver()) {
        over(said.connection(), line);
      }
    }
    return Future.succeededFuture(new Done());
  }

  private Future<Done> left(Left left) {
    SocketLine line = connections.remove(left.connection());
    if (line != null) {
      line.disconnected();
      if (!line.isOver()) {
        clock.after(
            AWAY,
            () -> {
              if (!line.isConnected() && !line.isOver()) {
                line.gone("the dispatcher's connection broke, and it has not come back");
                leave(line);
              }
            });
      }
    }
    return Future.succeededFuture(new Done());
  }

  private void over(String connection, SocketLine line) {
    connections.remove(connection);
    line.disconnected();
    quietly(bus.request(Dispatchers.PART, new Part(connection)));
    leave(line);
  }

  /** That a connection is gone is told by LEFT. */
  private static void quietly(Future<Done> told) {
    told.onFailure(gone -> LOG.debug("not told to a dispatcher: {}", gone.getMessage()));
  }

  /** A guest has gone: its host goes on alone. */
  private void leave(SocketLine line) {
    guests.forEach((experiment, guest) -> {
      if (guest.line == line) {
        guests.remove(experiment);
        LOG.info("the NNI dispatcher of experiment {} disconnected", experiment);
        hosts.renew(experiment);
      }
    });
  }
}
