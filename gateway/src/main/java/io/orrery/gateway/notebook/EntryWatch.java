package io.orrery.gateway.notebook;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.Notebooks.Notebook;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.ServerWebSocket;
import java.time.Duration;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch over an open connection into a notebook: it is closed soon after its person may not enter
 * any more. Used on the event loop of its socket.
 */
final class EntryWatch {
  private static final Logger LOG = LoggerFactory.getLogger(EntryWatch.class);
  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final short POLICY = 1008;

  private final Bus bus;
  private final Clock clock;
  private final NotebookName notebook;
  private final Predicate<Notebook> mayEnter;
  private final ServerWebSocket socket;

  /**
   * @param mayEnter whether its person may enter the notebook as it is now
   */
  EntryWatch(
      Bus bus,
      Clock clock,
      NotebookName notebook,
      Predicate<Notebook> mayEnter,
      ServerWebSocket socket) {
    this.bus = bus;
    this.clock = clock;
    this.notebook = notebook;
    this.mayEnter = mayEnter;
    this.socket = socket;
  }

  /** Looks until the connection is closed. */
  void start() {
    Context loop = Vertx.currentContext();
    clock.after(LOOK, () -> loop.runOnContext(turn -> look()));
  }

  private void look() {
    if (socket.isClosed()) {
      return;
    }
    bus.request(Notebooks.GET, new Notebooks.GetNotebook(notebook))
        .onSuccess(now -> {
          if (mayEnter.test(now)) {
            start();
          } else {
            close("the notebook is not shared with you any more");
          }
        })
        .onFailure(failure -> {
          if (Problem.of(failure) instanceof Problem.NotFound) {
            close("the notebook was deleted");
          } else {
            LOG.debug("could not look for notebook {}: {}", notebook, failure.getMessage());
            start();
          }
        });
  }

  private void close(String why) {
    socket
        .close(POLICY, why)
        .onFailure(failure -> LOG.debug("could not close a socket: {}", failure.getMessage()));
  }
}
