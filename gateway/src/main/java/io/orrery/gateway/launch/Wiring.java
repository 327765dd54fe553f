package io.orrery.gateway.launch;

import io.orrery.core.bus.Bus;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.PostgresStore;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.gateway.Edge;
import io.orrery.gateway.channel.TrialTokens;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.EdgeVerticle;
import io.orrery.metrics.MetricsVerticle;
import io.orrery.metrics.store.LogLimits;
import io.orrery.orchestrator.experiment.Creation;
import io.orrery.orchestrator.experiment.ExperimentDirectory;
import io.orrery.orchestrator.platform.Platforms;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.orrery.orchestrator.platform.TrialAccess;
import io.orrery.orchestrator.spec.SpecReader;
import io.orrery.orchestrator.status.StatusVerticle;
import io.orrery.orchestrator.submission.SubmissionVerticle;
import io.orrery.tuner.host.Catalog;
import io.orrery.tuner.host.TunerVerticle;
import io.orrery.tuner.host.Workers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a server and how they hang together: the only place that makes verticles. Opened in
 * the order of the data's way, from the edge's port (so that a busy one is noticed before anything
 * else happens) to the experiments that go on; closed the other way round.
 */
final class Wiring implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);
  private static final long PATIENCE_SECONDS = 60;
  private static final long FAREWELL_SECONDS = 10;
  private static final int TUNER_QUEUE = 1_000;

  private final Vertx vertx;
  private final Store store;
  private final Platforms platforms;
  private final String url;
  private final Future<Problem> storeLost;

  private Wiring(
      Vertx vertx, Store store, Platforms platforms, String url, Future<Problem> storeLost) {
    this.vertx = vertx;
    this.store = store;
    this.platforms = platforms;
    this.url = url;
    this.storeLost = storeLost;
  }

  /**
   * Starts everything and waits until it is ready.
   *
   * @param resume whether the experiments that were going on are continued
   */
  static Wiring open(HomeDirectory home, ServerConfig config, boolean resume) throws IOException {
    int loops = Runtime.getRuntime().availableProcessors();
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(loops));
    try {
      return open(vertx, home, config, resume);
    } catch (IOException | RuntimeException e) {
      vertx.close();
      throw e;
    }
  }

  private static Wiring open(Vertx vertx, HomeDirectory home, ServerConfig config, boolean resume)
      throws IOException {
    SecureRandom random = new SecureRandom();
    Path path = home.path();
    Clock clock = new SystemClock(vertx);
    Bus bus = Bus.of(vertx);
    AtomicBoolean ready = new AtomicBoolean();

    MetricsVerticle metrics = new MetricsVerticle(bus, path.resolve("metrics"), LogLimits.DEFAULT);
    TrialTokens tokens = new TrialTokens(home.secret());
    EdgeVerticle edge =
        Edge.of(
            EdgeOptions.loopback(config.port()),
            bus,
            metrics.sink(),
            tokens,
            clock,
            start(random),
            ready::get);
    listen(vertx, edge, config);
    String url = "http://127.0.0.1:" + edge.actualPort();

    Promise<Problem> storeLost = Promise.promise();
    Store store = store(vertx, home, config, storeLost);
    deploy(vertx, metrics);
    deploy(
        vertx,
        new TunerVerticle(
            bus,
            Catalog.standard(),
            new Workers(Runtime.getRuntime().availableProcessors(), TUNER_QUEUE)));
    StatusVerticle status = new StatusVerticle(bus, metrics.sink());
    deploy(vertx, status);
    TrialAccess access =
        access(config.advertiseUrl() == null ? url : config.advertiseUrl(), tokens);
    Platforms platforms =
        new Platforms(new Surroundings(vertx, clock, path, TrialSdk.unpack(path), access, status));
    deploy(vertx, new SubmissionVerticle(bus, platforms));
    Creation creation =
        new Creation(
            vertx, bus, platforms, new SpecReader(platforms.names(), random::nextLong), random);
    deploy(vertx, new ExperimentDirectory(bus, store, platforms, clock, creation, resume));
    ready.set(true);
    return new Wiring(vertx, store, platforms, url, storeLost.future());
  }

  private static Store store(
      Vertx vertx, HomeDirectory home, ServerConfig config, Promise<Problem> lost)
      throws IOException {
    if (config.store() == null) {
      return SqliteStore.open(vertx, home.path().resolve("orrery.db"));
    }
    PostgresStore store = PostgresStore.open(vertx, config.store(), home.storeOwner());
    store.lost().onComplete(lost);
    return store;
  }

  /** A name that no other start of this server has had. */
  private static String start(SecureRandom random) {
    byte[] bytes = new byte[8];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static TrialAccess access(String url, TrialTokens tokens) {
    return new TrialAccess() {
      @Override
      public String serverUrl() {
        return url;
      }

      @Override
      public String token(AttemptRef attempt) {
        return tokens.of(attempt);
      }
    };
  }

  private static void listen(Vertx vertx, EdgeVerticle edge, ServerConfig config) {
    try {
      deploy(vertx, edge);
    } catch (Exception e) { // await throws the cause as it is, checked or not
      if (config.port() != 0 && busy(e)) {
        String holder =
            PortHolder.of(config.port())
                .map(p ->
                    " by process "
                        + p.pid()
                        + p.info().command().map(c -> " (" + c + ")").orElse(""))
                .orElse("");
        throw new Problem.Conflict(
                "port " + config.port() + " is taken" + holder + "; --port 0 takes any free one")
            .toException();
      }
      throw e;
    }
  }

  private static boolean busy(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof BindException || String.valueOf(t.getMessage()).contains("in use")) {
        return true;
      }
    }
    return false;
  }

  private static void deploy(Vertx vertx, VerticleBase verticle) {
    try {
      vertx.deployVerticle(verticle).await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new Problem.Broken(
              verticle.getClass().getSimpleName()
                  + " did not start within "
                  + PATIENCE_SECONDS
                  + " s")
          .toException();
    }
  }

  /** Where clients of this machine reach the server, without a trailing slash. */
  String url() {
    return url;
  }

  /** Completes when the store is lost for good, with why: a server that cannot store must go. */
  Future<Problem> storeLost() {
    return storeLost;
  }

  @Override
  public void close() {
    try {
      platforms
          .close()
          .eventually(store::close)
          .eventually(vertx::close)
          .await(FAREWELL_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | RuntimeException e) {
      LOG.warn("the server went down in disorder; nothing that was acknowledged is lost", e);
    }
  }
}
