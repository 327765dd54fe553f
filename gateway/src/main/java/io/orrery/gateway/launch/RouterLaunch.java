package io.orrery.gateway.launch;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.route.RouteLayer;
import io.orrery.router.control.LastGood;
import io.orrery.router.control.TableInbox;
import io.orrery.router.route.References;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.RouterFile;
import io.orrery.router.route.Service;
import io.orrery.router.run.Router;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.spi.VertxTracerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The serving router of a server. Nothing waits for it unless its port was asked for by flag: it
 * starts on a thread of its own when the server is ready, and a port that is taken then is worth a
 * warning.
 */
final class RouterLaunch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RouterLaunch.class);
  private static final long DRAIN_SECONDS = 5;

  private final Promise<TableInbox> inbox = Promise.promise();
  private @Nullable Thread starting;
  private volatile @Nullable Router router;

  private RouterLaunch() {}

  /** For a server that runs no router. */
  static RouterLaunch off() {
    RouterLaunch none = new RouterLaunch();
    none.inbox.fail(
        new Problem.Conflict("This server runs no router; it was started with --router-port off.")
            .toException());
    return none;
  }

  /** For one that will run one. */
  static RouterLaunch pending() {
    return new RouterLaunch();
  }

  /** Where tables go in; fails with a Conflict when there is no router. */
  Future<TableInbox> inbox() {
    return inbox.future();
  }

  /** The port that the router listens on; the configured one while it does not run. */
  int port(RouterConfig config) {
    Router running = router;
    return running == null ? config.port() : running.port();
  }

  /** Starts now; the caller waits, and gets what is wrong as a problem. */
  void start(
      RouterConfig config, Path home, OriginPasses passes, @Nullable VertxTracerFactory tracing) {
    try {
      LastGood lastGood =
          new LastGood(home.resolve("routes.json"), home.resolve("routes-studio.json"));
      RouterFile.Listen listen =
          new RouterFile.Listen(
              new RouterFile.Address(config.host(), config.port()),
              1,
              List.of(),
              tracing == null,
              false,
              config.limits(),
              config.tcp());
      Router started =
          Router.start(listen, table(config, lastGood), lastGood, null, passes, tracing);
      router = started;
      inbox.complete(started.inbox());
      System.err.println(
          "The serving router is ready at http://" + config.host() + ":" + started.port());
    } catch (ProblemException e) {
      inbox.tryFail(
          new Problem.Conflict("This server runs no router: " + e.problem().detail())
              .toException());
      throw e;
    }
  }

  /** Starts soon, on a thread of its own; says on stderr why when it cannot. */
  void startSoon(
      RouterConfig config, Path home, OriginPasses passes, @Nullable VertxTracerFactory tracing) {
    starting =
        Thread.ofPlatform()
            .name("orrery-router-start")
            .start(() -> {
              try {
                start(config, home, passes, tracing);
              } catch (ProblemException e) {
                System.err.println(
                    "orrery: the serving router does not run: "
                        + e.problem().detail()
                        + "; --router-port 0 takes any free port, off is for none");
              }
            });
  }

  private static RouteTable table(RouterConfig config, LastGood lastGood) {
    Path file = config.file();
    if (file == null) {
      return lastGood.find(config.domain());
    }
    try {
      RouteTable table =
          lastGood
              .findStudio(config.domain())
              .with(RouteLayer.TABLE, 0, Files.readString(file), References.OPTIONAL);
      for (Service service : table.services(RouteLayer.TABLE)) {
        table
            .missing(service.id())
            .forEach(name ->
                LOG.warn(
                    "could not find the service {}, which {} names in {}; its part stays with {}",
                    name,
                    service.id(),
                    file,
                    service.id()));
      }
      return table;
    } catch (IOException e) {
      throw new Problem.Refused(
              new Finding(
                  "/router/config",
                  "router.config is " + file + ": it cannot be read: " + FileFault.words(e)))
          .toException();
    }
  }

  @Override
  public void close() {
    Thread thread = starting;
    if (thread != null) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    Router running = router;
    if (running != null) {
      running.drain(DRAIN_SECONDS);
      running.close();
    }
  }
}
