package io.orrery.gateway.launch;

import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Bus;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.PostgresStore;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.gateway.Edge;
import io.orrery.gateway.auth.Access;
import io.orrery.gateway.auth.AccessToken;
import io.orrery.gateway.auth.Role;
import io.orrery.gateway.channel.TrialTokens;
import io.orrery.gateway.http.EdgeVerticle;
import io.orrery.gateway.http.TlsFiles;
import io.orrery.gateway.kafka.KafkaVerticle;
import io.orrery.metrics.MetricsVerticle;
import io.orrery.metrics.prometheus.LoopWatch;
import io.orrery.metrics.prometheus.Meters;
import io.orrery.metrics.store.LogLimits;
import io.orrery.metrics.store.LogPlace;
import io.orrery.orchestrator.experiment.Creation;
import io.orrery.orchestrator.experiment.ExperimentDirectory;
import io.orrery.orchestrator.experiment.RehearsalDesk;
import io.orrery.orchestrator.keeper.KeeperVerticle;
import io.orrery.orchestrator.platform.Platforms;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.orrery.orchestrator.platform.TrialAccess;
import io.orrery.orchestrator.secret.SecretBox;
import io.orrery.orchestrator.spec.SpecReader;
import io.orrery.orchestrator.status.StatusVerticle;
import io.orrery.orchestrator.submission.SubmissionVerticle;
import io.orrery.router.control.RouteDoor;
import io.orrery.router.control.TableInbox;
import io.orrery.tuner.dispatcher.Doorplate;
import io.orrery.tuner.host.Catalog;
import io.orrery.tuner.host.TunerVerticle;
import io.orrery.tuner.host.Workers;
import io.orrery.tuner.python.Interpreter;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a server and how they hang together: the only place that makes verticles. Opened in
 * the order of the data's way, from the edge's port (so that a busy one is noticed before anything
 * else happens) to the experiments that go on.
 *
 * <p>Closed from where things come in to where they end up: first nobody can ask any more, then
 * nobody decides, then nothing is launched or watched, and last of all what was decided and
 * reported is on disk. A platform that goes before its deciders would answer them that good trials
 * cannot be started.
 */
final class Wiring implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);
  private static final long PATIENCE_SECONDS = 60;
  private static final long FAREWELL_SECONDS = 10;
  private static final int TUNER_QUEUE = 1_000;

  private final Vertx vertx;
  private final Store store;
  private final Platforms platforms;
  private final List<String> deciders;
  private final String log;
  private final String url;
  private final String publicUrl;
  private final Future<Problem> storeLost;

  /**
   * @param deciders deployments to take down before the platforms, in this order
   * @param log the deployment that may write to the store until it is taken down
   */
  private Wiring(
      Vertx vertx,
      Store store,
      Platforms platforms,
      List<String> deciders,
      String log,
      String url,
      String publicUrl,
      Future<Problem> storeLost) {
    this.vertx = vertx;
    this.store = store;
    this.platforms = platforms;
    this.deciders = List.copyOf(deciders);
    this.log = log;
    this.url = url;
    this.publicUrl = publicUrl;
    this.storeLost = storeLost;
  }

  /**
   * Starts everything and waits until it is ready.
   *
   * @param own the token of this machine's own clients; null when nobody is asked for one
   * @param resume whether the experiments that were going on are continued
   * @param routes where route tables go in, once the router runs
   */
  static Wiring open(
      HomeDirectory home,
      ServerConfig config,
      Binding binding,
      @Nullable BearerToken own,
      boolean resume,
      Future<TableInbox> routes)
      throws IOException {
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(loops()));
    try {
      return open(vertx, home, config, binding, own, resume, routes);
    } catch (IOException | RuntimeException e) {
      vertx.close();
      throw e;
    }
  }

  private static Wiring open(
      Vertx vertx,
      HomeDirectory home,
      ServerConfig config,
      Binding binding,
      @Nullable BearerToken own,
      boolean resume,
      Future<TableInbox> routes)
      throws IOException {
    SecureRandom random = new SecureRandom();
    Path path = home.path();
    Clock clock = new SystemClock(vertx);
    Meters meters = new Meters();
    Bus bus = Bus.of(vertx, meters);
    StorageCheck storage = new StorageCheck(vertx, path);

    Promise<LogPlace> place = Promise.promise();
    MetricsVerticle metrics =
        new MetricsVerticle(bus, place.future(), LogLimits.DEFAULT, meters, clock);
    TrialTokens tokens = new TrialTokens(home.secret());
    EdgeVerticle edge =
        Edge.of(
            binding.options(),
            bus,
            metrics.sink(),
            tokens,
            Access.of(tokens(config, own), tokens, clock, random),
            path.resolve("experiments"),
            nniHome(),
            clock,
            start(random),
            storage);
    List<String> deciders = new ArrayList<>();
    deciders.add(listen(vertx, edge, config));
    String url = binding.localUrl(edge);

    Promise<Problem> storeLost = Promise.promise();
    Store store = store(vertx, home, config, storeLost);
    place.complete(
        config.store() == null
            ? new LogPlace.Files(path.resolve("metrics"))
            : new LogPlace.Tables(store));
    String log = deploy(vertx, metrics);
    Path sdk = TrialSdk.unpack(path);
    deploy(vertx, new RouteDoor(bus, routes));
    vertx.deployVerticle(
        () -> new LoopWatch(meters), new DeploymentOptions().setInstances(loops()));
    deploy(
        vertx,
        new TunerVerticle(
            bus,
            Catalog.standard(),
            clock,
            new Workers(Runtime.getRuntime().availableProcessors(), TUNER_QUEUE)
                .withPatience(config.tunerPatience()),
            Interpreter.standard(sdk, path.resolve("experiments")),
            new Doorplate(URI.create(url), random),
            path.resolve("experiments")));
    StatusVerticle status = new StatusVerticle(bus, metrics.sink());
    deploy(vertx, status);
    TrialAccess access =
        access(config.advertiseUrl() == null ? url : config.advertiseUrl(), tokens);
    KeeperVerticle keepers =
        new KeeperVerticle(vertx, bus, clock, path, access, config.codeLimits());
    deploy(vertx, keepers);
    Platforms platforms =
        new Platforms(new Surroundings(vertx, clock, path, sdk, access, status, keepers.keepers()));
    String submissions = deploy(vertx, new SubmissionVerticle(bus, platforms, clock));
    Creation creation =
        new Creation(
            vertx,
            bus,
            platforms,
            new SpecReader(
                platforms.names(),
                platforms.options(),
                random::nextLong,
                new SecretBox(path, System.getenv())::seal),
            random);
    String experiments =
        deploy(vertx, new ExperimentDirectory(bus, store, platforms, clock, creation, resume));
    deploy(
        vertx,
        new RehearsalDesk(bus, platforms, creation, random),
        new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));
    if (config.kafka() != null) {
      deciders.add(deploy(vertx, new KafkaVerticle(config.kafka(), bus, metrics.sink(), clock)));
    }
    deciders.addAll(List.of(experiments, submissions));
    storage.started(store, metrics);
    return new Wiring(
        vertx, store, platforms, deciders, log, url, binding.publicUrl(edge), storeLost.future());
  }

  /** As Python finds it: where the variable says, before the list of users is asked. */
  private static Path nniHome() {
    return Path.of(System.getenv().getOrDefault("HOME", System.getProperty("user.home")))
        .resolve("nni-experiments");
  }

  private static int loops() {
    return Runtime.getRuntime().availableProcessors();
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

  private static List<AccessToken> tokens(ServerConfig config, @Nullable BearerToken own) {
    List<AccessToken> all = new ArrayList<>(config.tokens());
    if (own != null) {
      all.add(AccessToken.of("server.json", Role.ADMIN, own));
    }
    return all;
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

  private static String listen(Vertx vertx, EdgeVerticle edge, ServerConfig config) {
    try {
      return deploy(vertx, edge);
    } catch (Exception e) { // await throws the cause as it is, checked or not
      TlsFiles tls = config.tls();
      if (busy(e)) {
        throw new Problem.Conflict(taken(config)).toException();
      }
      if (tls != null) {
        throw new Problem.Refused(
                new Finding(
                    "/http/tls",
                    tls.certificate() + " and " + tls.key() + " cannot be used: " + e.getMessage()))
            .toException();
      }
      throw e;
    }
  }

  /** Names the port, and who holds it. */
  private static String taken(ServerConfig config) {
    TlsFiles tls = config.tls();
    int port = config.port();
    Optional<ProcessHandle> holder = PortHolder.of(port);
    if (tls != null && holder.filter(p -> p.pid() != ProcessHandle.current().pid()).isEmpty()) {
      port = tls.localPort();
      holder = PortHolder.of(port);
    }
    return "port "
        + port
        + " is taken"
        + holder
            .map(p ->
                " by process " + p.pid() + p.info().command().map(c -> " (" + c + ")").orElse(""))
            .orElse("")
        + (port == config.port()
            ? "; --port 0 takes any free one"
            : "; http.tls.localPort: 0 takes any free one");
  }

  private static boolean busy(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof BindException || String.valueOf(t.getMessage()).contains("in use")) {
        return true;
      }
    }
    return false;
  }

  private static String deploy(Vertx vertx, VerticleBase verticle) {
    return deploy(vertx, verticle, new DeploymentOptions());
  }

  private static String deploy(Vertx vertx, VerticleBase verticle, DeploymentOptions options) {
    try {
      return vertx.deployVerticle(verticle, options).await(PATIENCE_SECONDS, TimeUnit.SECONDS);
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

  /** Where people are told to look. */
  String publicUrl() {
    return publicUrl;
  }

  /** Completes when the store is lost for good, with why: a server that cannot store must go. */
  Future<Problem> storeLost() {
    return storeLost;
  }

  @Override
  public void close() {
    Future<Void> decided = Future.succeededFuture();
    for (String deployment : deciders) {
      decided = decided.eventually(() -> vertx.undeploy(deployment));
    }
    try {
      decided
          .eventually(platforms::close)
          .eventually(() -> vertx.undeploy(log))
          .eventually(store::close)
          .eventually(vertx::close)
          .await(FAREWELL_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | RuntimeException e) {
      LOG.warn("the server went down in disorder; nothing that was acknowledged is lost", e);
    }
  }
}
