package io.orrery.gateway.launch;

import io.orrery.cli.server.UpOptions;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.process.Umask;
import io.orrery.gateway.cluster.Roles;
import io.orrery.gateway.telemetry.SpanExport;
import io.vertx.core.spi.VertxTracerFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server process, from its start to its end: configuration, the home's lock, the parts in their
 * order, the announcement, and a way down that lets trials run on.
 */
final class Server {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);
  private static final long FAREWELL_SECONDS = 20;
  private static final int REFUSED = 2;

  /** Where SQLite's library is unpacked; else in the system's folder for temporary files. */
  private static final String UNPACKED = "org.sqlite.tmpdir";

  /** Serves until the process is told to end; the exit code. */
  int serve(UpOptions options) {
    CountDownLatch down = new CountDownLatch(1);
    try {
      return serve(options, down);
    } finally {
      down.countDown();
    }
  }

  /**
   * @param down counted down once everything has been put away, the home last: a process that is
   *     told to end waits for it
   */
  private static int serve(UpOptions options, CountDownLatch down) {
    // What is made from here on is this user's alone, whatever the mask of the shell.
    Umask.makePrivate();
    try (HomeDirectory home = HomeDirectory.open(options.home())) {
      ServerConfig config = configuration(options, home);
      unpackInto(home);
      return serve(options, home, config, down);
    } catch (ProblemException refused) {
      return explain(refused.problem());
    } catch (UncheckedIOException e) {
      return unusable(options.home(), Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      return unusable(options.home(), e);
    }
  }

  private static int unusable(Path home, IOException e) {
    System.err.println(
        "orrery: cannot use the home %s: %s; give another with --home or $ORRERY_HOME"
            .formatted(home, FileFault.words(e)));
    return 1;
  }

  private static int serve(
      UpOptions options, HomeDirectory home, ServerConfig config, CountDownLatch down)
      throws IOException {
    Binding binding = Binding.of(config, home.path());
    boolean asks = config.users() || !config.tokens().isEmpty();
    BearerToken own = asks ? BearerToken.random(new SecureRandom()) : null;
    CountDownLatch asked = new CountDownLatch(1);
    Thread hook =
        new Thread(
            () -> {
              asked.countDown();
              await(down);
            },
            "orrery-shutdown");
    Integer routerPort = options.routerPort();
    boolean routes =
        config.roles().contains(ServerRole.ROUTER)
            && (routerPort == null || routerPort != UpOptions.ROUTER_OFF);
    config.telemetry().log().apply();
    SpanExport.Collector traces = config.telemetry().traces();
    try (SpanExport spans =
            traces == null ? null : new SpanExport(traces, UUID.randomUUID().toString());
        RouterLaunch router = routes ? RouterLaunch.pending() : RouterLaunch.off();
        Wiring wiring =
            Wiring.open(
                home,
                config,
                binding,
                own,
                options.resume(),
                router.inbox(),
                () -> router.port(config.router()),
                spans == null ? null : spans.factory())) {
      VertxTracerFactory tracing = spans == null ? null : spans.factory();
      if (routes && routerPort != null) {
        router.start(config.router(), home.path(), wiring.passes(), tracing);
      }
      Runtime.getRuntime().addShutdownHook(hook);
      watchParent(options.parentPid(), asked);
      home.announce(wiring.url(), own);
      binding.warning().ifPresent(warning -> System.err.println("orrery: " + warning));
      System.err.println("Orrery is ready at " + wiring.publicUrl() + parts(config));
      advertised(config, wiring.publicUrl())
          .ifPresent(url -> System.err.println("others reach it at " + url));
      if (config.accounts().passwords() && config.roles().contains(ServerRole.ORCHESTRATOR)) {
        wiring
            .firstSetUp(new SecureRandom())
            .ifPresent(code ->
                System.err.println(
                    "No account exists yet. Create the first administrator at %s/setup with the code"
                            .formatted(wiring.publicUrl())
                        + " "
                        + code));
      }
      if (routes && routerPort == null) {
        router.startSoon(config.router(), home.path(), wiring.passes(), tracing);
      }
      wiring.storeLost().onComplete(lost -> asked.countDown());
      asked.await();
      LOG.info("going down; trials that run go on");
      if (wiring.storeLost().isComplete()) {
        return explain(wiring.storeLost().result());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  private static void unpackInto(HomeDirectory home) throws IOException {
    if (System.getProperty(UNPACKED) == null) {
      System.setProperty(UNPACKED, home.unpacked().toString());
    }
  }

  private static String parts(ServerConfig config) {
    return config.roles().equals(ServerRole.all())
        ? ""
        : " with " + ServerRole.words(config.roles());
  }

  /** A server that was started for one command goes down with it, even when that was killed. */
  private static void watchParent(@Nullable Long parent, CountDownLatch asked) {
    if (parent != null) {
      ProcessHandle.of(parent)
          .ifPresentOrElse(process -> process.onExit().thenRun(asked::countDown), asked::countDown);
    }
  }

  private static void await(CountDownLatch down) {
    try {
      if (!down.await(FAREWELL_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("not everything was put away within {} s", FAREWELL_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ServerConfig configuration(UpOptions options, HomeDirectory home) {
    Map<String, String> flags = new HashMap<>();
    if (options.host() != null) {
      flags.put(ServerConfig.HOST.name(), options.host());
    }
    if (options.port() != null) {
      flags.put(ServerConfig.PORT.name(), options.port().toString());
    }
    Integer router = options.routerPort();
    if (router != null && router != UpOptions.ROUTER_OFF) {
      flags.put(ServerConfig.ROUTER_PORT.name(), router.toString());
    }
    if (!options.roles().isEmpty()) {
      flags.put(Roles.KEY.name(), String.join(",", options.roles()));
    }
    Path asked = options.config();
    ConfigurationFile file = asked == null ? home.configuration() : ConfigurationFile.read(asked);
    Path directory = Objects.requireNonNull(file.path().toAbsolutePath().getParent());
    return file.placing(
        () -> ServerConfig.read(file.text(), System.getenv(), flags).from(directory));
  }

  /** Where others reach the API of this server, when that is another address than its own. */
  private static Optional<String> advertised(ServerConfig config, String own) {
    return Optional.of(SharedStore.edgeUrl(config, own)).filter(url -> !url.equals(own));
  }

  private static int explain(Problem problem) {
    if (problem instanceof Problem.Refused refused && refused.findings().size() > 1) {
      refused.findings().forEach(finding -> System.err.println("orrery: " + finding.text()));
    } else {
      System.err.println("orrery: " + problem.detail());
    }
    return problem instanceof Problem.Refused ? REFUSED : 1;
  }
}
