package io.orrery.router.run;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.process.Signals;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.tls.TlsMaterial;
import io.orrery.router.control.AdminVerticle;
import io.orrery.router.control.LastGood;
import io.orrery.router.control.ServerFollower;
import io.orrery.router.route.References;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.RouterFile;
import io.orrery.router.telemetry.AccessLog;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@code orrery route}: the router alone, configured by one file. SIGHUP reads the file again,
 * SIGTERM and SIGINT end it without cutting off any client.
 */
public final class RouteProgram {
  private static final int REFUSED = 2;
  private static final int FAILED = 1;
  private static final int DEAF = 3;
  private static final long DRAIN_SECONDS = 30;
  private static final long ADMIN_SECONDS = 10;

  private final Path file;
  private final @Nullable Followed followed;
  private final Duration patience;
  private final CountDownLatch asked = new CountDownLatch(1);

  /**
   * A server whose table is followed.
   *
   * @param token null where the server asks for none
   */
  public record Followed(URI url, @Nullable String token) {}

  /**
   * A program for one file.
   *
   * @param file absolute
   * @param followed null for none
   */
  public RouteProgram(Path file, @Nullable Followed followed) {
    this(file, followed, Router.PATIENCE);
  }

  /**
   * @param patience how long the router may fail to serve before the process ends
   */
  RouteProgram(Path file, @Nullable Followed followed, Duration patience) {
    this.file = file;
    this.followed = followed;
    this.patience = patience;
  }

  /**
   * Runs until it is told to end.
   *
   * @return the exit code: 0 after an orderly end, 1 when it could not start, 2 when the file was
   *     refused; the process ends with 3 when it can no longer serve
   */
  public int run() {
    try {
      return serve(read());
    } catch (ProblemException e) {
      explain(e.problem());
      return e.problem() instanceof Problem.Refused ? REFUSED : FAILED;
    } catch (IOException e) {
      say("the access log cannot be opened: " + FileFault.words(e));
      return FAILED;
    }
  }

  private int serve(RouterFile config) throws IOException {
    boolean orderly = Signals.on("TERM", asked::countDown);
    Signals.on("INT", asked::countDown);
    TlsMaterial certificates = certificates(config);
    LastGood lastGood = lastGood();
    RouteTable table = first(config, lastGood);
    try (AccessLog log = accessLog(config.accessLog());
        Router router =
            Router.start(
                config.listen(),
                table,
                lastGood,
                log,
                // It knows no server's secret: requests for guarded services are refused.
                OriginPasses.unknown(),
                null,
                patience,
                RouteProgram::giveUp)) {
      AdminVerticle admin =
          new AdminVerticle(
              config.admin(),
              config.listen().reusePort(),
              router.inbox(),
              router.meters(),
              router::ready);
      listen(router, admin, config.admin().address());
      follow(router, followed, certificates);
      CertificateFiles renewed =
          new CertificateFiles(
              router.vertx(), config.listen().tls(), router::certificates, RouteProgram::say);
      renewed.watch();
      boolean rereads =
          Signals.on("HUP", () -> Thread.ofPlatform().start(() -> reread(router, renewed)));
      if (!orderly) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> router.drain(DRAIN_SECONDS)));
      }
      say(
          "the router is ready at %s://%s:%d, its admin port at http://%s:%d"
              .formatted(
                  config.listen().tls().isEmpty() ? "http" : "https",
                  config.listen().address().host(),
                  router.port(),
                  config.admin().address().host(),
                  admin.actualPort()));
      if (!rereads) {
        say(
            "SIGHUP is ignored in this process, as nohup has it, and does not read %s again: put a table at http://%s:%d/api/v1/routes instead, or start it without nohup (setsid does not ignore signals)"
                .formatted(file, config.admin().address().host(), admin.actualPort()));
      }
      asked.await();
      say("going down; requests that are under way end first");
      router.drain(DRAIN_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  /** The services of the file, else those that were put last, and those of the server followed. */
  private RouteTable first(RouterFile config, LastGood lastGood) {
    RouteTable table = config.table();
    if (followed == null) {
      return table == null ? lastGood.findTable(config.domain()) : table;
    }
    return table == null
        ? lastGood.find(config.domain())
        : lastGood.findStudio(config.domain()).with(RouteLayer.TABLE, table, References.REQUIRED);
  }

  /** What the followed server is shown, and checked against: over a connection that has TLS. */
  private @Nullable TlsMaterial certificates(RouterFile config) {
    if (config.follow() == null) {
      return null;
    }
    if (followed != null && !"https".equalsIgnoreCase(followed.url().getScheme())) {
      throw new Problem.Refused(
              new Finding(
                  "/follow",
                  "follow has certificates, and a connection to %s has none: name the server by https://, or leave out follow"
                      .formatted(followed.url())))
          .toException();
    }
    return TlsMaterial.read(config.follow());
  }

  private static void follow(
      Router router, @Nullable Followed followed, @Nullable TlsMaterial certificates) {
    if (followed != null) {
      router
          .vertx()
          .deployVerticle(
              new ServerFollower(followed.url(), followed.token(), certificates, router.inbox()))
          .onFailure(failure ->
              say("the table of " + followed.url() + " is not followed: " + failure.getMessage()));
    }
  }

  /** A process that is alive and serves no requests is no use: its supervisor starts another. */
  private static void giveUp(String why) {
    say("could not serve requests any more: " + why + "; ending with exit code " + DEAF);
    Runtime.getRuntime().halt(DEAF);
  }

  private static @Nullable AccessLog accessLog(RouterFile.@Nullable AccessLog wanted)
      throws IOException {
    return wanted == null ? null : AccessLog.open(wanted.percent(), wanted.file());
  }

  /** Beside the file that it came from. */
  private LastGood lastGood() {
    return new LastGood(
        file.resolveSibling(file.getFileName() + ".last"),
        file.resolveSibling(file.getFileName() + ".last-studio"));
  }

  private static void listen(Router router, AdminVerticle admin, RouterFile.Address address) {
    try {
      router.vertx().deployVerticle(admin).await(ADMIN_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new Problem.Broken("the admin port did not open").toException();
    } catch (Exception e) { // await throws the cause as it is, checked or not
      throw new Problem.Conflict(
              "the admin port %s:%d cannot be bound: %s"
                  .formatted(address.host(), address.port(), e.getMessage()))
          .toException();
    }
  }

  private RouterFile read() {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new Problem.Refused(
              new Finding("", "the configuration cannot be read: " + FileFault.words(e)))
          .toException();
    }
    Path directory = file.toAbsolutePath().getParent();
    return RouterFile.read(text, directory == null ? Path.of("") : directory);
  }

  private void reread(Router router, CertificateFiles renewed) {
    try {
      RouterFile config = read();
      router.certificates(config.listen().tls()).await(ADMIN_SECONDS, TimeUnit.SECONDS);
      renewed.now(config.listen().tls());
      RouteTable table = config.table();
      if (table != null) {
        router.inbox().accept(table);
      }
      say("the configuration was read again");
    } catch (ProblemException e) {
      say("nothing was changed:");
      explain(e.problem());
    } catch (Exception e) { // await throws the cause as it is, checked or not
      say("nothing was changed: a certificate cannot be used: " + e.getMessage());
    }
  }

  /** As compilers do, so that editors find the place. */
  private void explain(Problem problem) {
    List<Finding> findings =
        problem instanceof Problem.Refused refused ? refused.findings() : List.of();
    if (findings.isEmpty()) {
      say(problem.detail());
    }
    for (Finding finding : findings) {
      String place = finding.line() == null ? "" : ":" + finding.line();
      String pointer = finding.pointer().isEmpty() ? "" : finding.pointer() + ": ";
      System.err.println(file + place + ": " + pointer + finding.message());
    }
  }

  private static void say(String sentence) {
    System.err.println("orrery: " + sentence);
  }
}
