package io.orrery.gateway.launch;

import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Bus;
import io.orrery.core.lease.Leases;
import io.orrery.core.lease.Membership;
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
import io.orrery.gateway.cluster.ClusterConfig;
import io.orrery.gateway.cluster.ClusteredVertx;
import io.orrery.gateway.cluster.MetricPost;
import io.orrery.gateway.cluster.Post;
import io.orrery.gateway.http.EdgeVerticle;
import io.orrery.gateway.kafka.KafkaConfig;
import io.orrery.gateway.kafka.KafkaVerticle;
import io.orrery.metrics.prometheus.LoopWatch;
import io.orrery.metrics.prometheus.Meters;
import io.orrery.metrics.prometheus.TelemetryVerticle;
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
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
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
  private final List<Supplier<Future<Void>>> keepers;
  private final String url;
  private final String publicUrl;
  private final Future<Problem> storeLost;

  /**
   * @param deciders deployments to take down before the platforms, in this order
   * @param keepers lets go of what may write to the store until then, in this order
   */
  private Wiring(
      Vertx vertx,
      Store store,
      Platforms platforms,
      List<String> deciders,
      List<Supplier<Future<Void>>> keepers,
      String url,
      String publicUrl,
      Future<Problem> storeLost) {
    this.vertx = vertx;
    this.store = store;
    this.platforms = platforms;
    this.deciders = List.copyOf(deciders);
    this.keepers = List.copyOf(keepers);
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
    Vertx vertx = vertx(config.cluster());
    try {
      return open(vertx, home, config, binding, own, resume, routes);
    } catch (IOException | RuntimeException e) {
      vertx.close();
      throw e;
    }
  }

  private static Vertx vertx(@Nullable ClusterConfig cluster) throws IOException {
    VertxOptions options =
        new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(loops());
    return cluster == null
        ? Vertx.vertx(options)
        : ClusteredVertx.start(options, cluster, Secret.of(cluster.directory()).name("cluster"));
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
    ClusterConfig cluster = config.cluster();
    // What belongs to experiments is where every server finds it that may have to look after them.
    Path files = cluster == null ? home.path() : cluster.directory();
    Path experimentFiles = files.resolve("experiments");
    Clock clock = new SystemClock(vertx);
    Meters meters = new Meters();
    Bus bus = Bus.of(vertx, meters);
    StorageCheck storage = new StorageCheck(vertx, home.path());

    MetricPost metrics = new MetricPost(vertx, bus, meters, clock);
    Promise<Leases> shared = Promise.promise();
    TrialTokens tokens = new TrialTokens(Secret.of(files).bytes());
    EdgeVerticle edge =
        Edge.of(
            binding.options(),
            bus,
            metrics,
            tokens,
            Access.of(tokens(config, own), tokens, clock, random),
            new Edge.Places(home.path(), experimentFiles, nniHome()),
            clock,
            start(random),
            storage,
            shared.future());
    List<String> deciders = new ArrayList<>();
    deciders.add(EdgePort.open(() -> deploy(vertx, edge), config));
    String url = binding.localUrl(edge);

    Promise<Problem> storeLost = Promise.promise();
    Store store = store(vertx, home, config, storeLost);
    String publicUrl = config.advertiseUrl() == null ? url : config.advertiseUrl();
    Leases leases =
        cluster == null
            ? Leases.ALONE
            : join(vertx, store, clock, random, publicUrl, cluster.lease());
    shared.complete(leases);
    finish(
        metrics.open(
            leases,
            lease ->
                config.store() == null
                    ? new LogPlace.Files(files.resolve("metrics"))
                    : new LogPlace.Tables(lease.fencing(store))),
        "the metric log");
    deploy(vertx, new TelemetryVerticle(bus, meters));
    Path sdk = TrialSdk.unpack(home.path());
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
            Interpreter.standard(sdk, experimentFiles),
            new Doorplate(URI.create(url), random),
            experimentFiles));
    StatusVerticle status = new StatusVerticle(bus, metrics);
    deploy(vertx, status);
    TrialAccess access = access(publicUrl, tokens);
    KeeperVerticle keepers =
        new KeeperVerticle(vertx, bus, clock, files, access, config.codeLimits());
    deploy(vertx, keepers);
    Platforms platforms =
        new Platforms(
            new Surroundings(vertx, clock, files, sdk, access, status, keepers.keepers()));
    String submissions =
        deploy(
            vertx,
            new SubmissionVerticle(
                bus,
                platforms,
                clock,
                PlatformRates.known(config.platformRates(), platforms.names())));
    Creation creation =
        new Creation(
            vertx,
            bus,
            platforms,
            new SpecReader(
                platforms.names(),
                platforms.options(),
                random::nextLong,
                new SecretBox(files, System.getenv())::seal),
            random);
    String experiments =
        deploy(
            vertx, new ExperimentDirectory(bus, store, leases, platforms, clock, creation, resume));
    deploy(
        vertx,
        new RehearsalDesk(bus, platforms, creation, random),
        new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));
    List<Supplier<Future<Void>>> keeping = new ArrayList<>();
    KafkaConfig kafka = config.kafka();
    if (kafka != null) {
      // One server speaks with the brokers, or every event would be told once by each.
      Post post =
          new Post(
              vertx,
              leases,
              clock,
              "kafka",
              lease -> new KafkaVerticle(kafka, bus, metrics, clock));
      finish(post.open(), "Kafka");
      keeping.add(post::close);
    }
    deciders.addAll(List.of(experiments, submissions));
    storage.started(store, metrics);
    keeping.add(metrics::close);
    if (leases instanceof Membership member) {
      meters.watch("leases", null, "Leases that this server holds", member, Membership::holding);
      meters.count(
          "leases.lost",
          "Times that this server was taken for dead",
          member,
          Membership::lostSeats);
      keeping.add(member::leave);
    }
    return new Wiring(
        vertx,
        store,
        platforms,
        deciders,
        keeping,
        url,
        binding.publicUrl(edge),
        storeLost.future());
  }

  private static Membership join(
      Vertx vertx, Store store, Clock clock, SecureRandom random, String url, Duration life) {
    return finish(
        Membership.join(
            vertx, store, clock, () -> start(random), url, HomeDirectory.machine(), life),
        "the database's list of servers");
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
    PostgresStore store =
        config.cluster() == null
            ? PostgresStore.open(vertx, config.store(), home.storeOwner())
            : PostgresStore.share(vertx, config.store(), home.storeOwner());
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

  private static String deploy(Vertx vertx, VerticleBase verticle) {
    return deploy(vertx, verticle, new DeploymentOptions());
  }

  private static String deploy(Vertx vertx, VerticleBase verticle, DeploymentOptions options) {
    return finish(vertx.deployVerticle(verticle, options), verticle.getClass().getSimpleName());
  }

  private static <T> T finish(Future<T> start, String what) {
    try {
      return start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new Problem.Broken(what + " did not start within " + PATIENCE_SECONDS + " s")
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
    Future<Void> kept = decided.eventually(platforms::close);
    for (Supplier<Future<Void>> keeper : keepers) {
      kept = kept.eventually(keeper);
    }
    try {
      kept.eventually(store::close)
          .eventually(vertx::close)
          .await(FAREWELL_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | RuntimeException e) {
      LOG.warn("the server went down in disorder; nothing that was acknowledged is lost", e);
    }
  }
}
