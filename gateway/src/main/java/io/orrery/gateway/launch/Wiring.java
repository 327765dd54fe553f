package io.orrery.gateway.launch;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.bus.contract.People;
import io.orrery.core.lease.Leases;
import io.orrery.core.lease.Membership;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.UserHome;
import io.orrery.core.process.Watchdog;
import io.orrery.core.sql.PostgresStore;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.core.tls.TlsMaterial;
import io.orrery.core.trace.TracedStore;
import io.orrery.core.workload.Workspaces;
import io.orrery.gateway.Edge;
import io.orrery.gateway.auth.Access;
import io.orrery.gateway.auth.AccessToken;
import io.orrery.gateway.channel.TrialTokens;
import io.orrery.gateway.cluster.ClusterConfig;
import io.orrery.gateway.cluster.LeasedDuty;
import io.orrery.gateway.cluster.LeasedMetricLog;
import io.orrery.gateway.http.EdgeVerticle;
import io.orrery.gateway.kafka.KafkaConfig;
import io.orrery.gateway.kafka.KafkaVerticle;
import io.orrery.gateway.service.RouterAddress;
import io.orrery.gateway.status.StatusBoard;
import io.orrery.metrics.prometheus.LoopWatch;
import io.orrery.metrics.prometheus.Meters;
import io.orrery.metrics.prometheus.TelemetryVerticle;
import io.orrery.metrics.store.LogPlace;
import io.orrery.orchestrator.route.RouteLayerVerticle;
import io.orrery.router.control.LayerFollower;
import io.orrery.router.control.RouteDoor;
import io.orrery.router.control.TableInbox;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.spi.VertxTracerFactory;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a server, those of its roles, and how they hang together. Opened in the order of the
 * data's way, from the edge's port (so that a busy one is noticed before anything else happens) to
 * the experiments that go on.
 *
 * <p>Closed from where things come in to where they end up: first no request comes in any more,
 * then nothing is decided, then nothing is launched or watched, and last of all what was decided
 * and reported is on disk. A platform that goes before its deciders would answer them that good
 * trials cannot be started.
 */
final class Wiring implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);
  private static final long FAREWELL_SECONDS = 10;

  private final Vertx vertx;
  private final Store store;
  private final Bus bus;
  private final List<String> deciders;
  private final List<Supplier<Future<Void>>> keepers;
  private final String url;
  private final String publicUrl;
  private final OriginPasses passes;
  private final Future<Problem> storeLost;

  /**
   * @param deciders deployments to take down before the platforms, in this order
   * @param keepers the parts that may write to the store until then, closed in this order
   */
  private Wiring(
      Vertx vertx,
      Store store,
      Bus bus,
      List<String> deciders,
      List<Supplier<Future<Void>>> keepers,
      String url,
      String publicUrl,
      OriginPasses passes,
      Future<Problem> storeLost) {
    this.vertx = vertx;
    this.store = store;
    this.bus = bus;
    this.deciders = List.copyOf(deciders);
    this.keepers = List.copyOf(keepers);
    this.url = url;
    this.publicUrl = publicUrl;
    this.passes = passes;
    this.storeLost = storeLost;
  }

  /**
   * Starts everything and waits until it is ready.
   *
   * @param own the token of this machine's own clients; null when none is required
   * @param resume whether the experiments that were going on are continued
   * @param routes where route tables go in, once the router runs
   * @param routerPort the port of the router
   */
  static Wiring open(
      HomeDirectory home,
      ServerConfig config,
      Binding binding,
      @Nullable BearerToken own,
      boolean resume,
      Future<TableInbox> routes,
      IntSupplier routerPort,
      @Nullable VertxTracerFactory tracing)
      throws IOException {
    ClusterConfig cluster = config.cluster();
    TlsMaterial tls =
        cluster == null || cluster.tls() == null ? null : TlsMaterial.read(cluster.tls());
    Vertx vertx = ServerVertx.start(cluster, tls, tracing);
    try {
      return open(vertx, home, config, binding, own, resume, routes, routerPort, tls);
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
      Future<TableInbox> routes,
      IntSupplier routerPort,
      @Nullable TlsMaterial clusterTls)
      throws IOException {
    Ground ground = Ground.of(vertx, home, config);
    Set<ServerRole> roles = config.roles();
    Clock clock = ground.clock();
    Meters meters = ground.meters();
    Bus bus = ground.bus();
    StorageCheck storage = new StorageCheck(vertx, home.path());
    HomeParts parts = new HomeParts(home.path());
    if (config.store() == null) {
      parts.check();
    }
    LeasedMetricLog metrics = new LeasedMetricLog(vertx, bus, meters, clock);
    Promise<Leases> shared = Promise.promise();
    StatusBoard status = new StatusBoard();
    byte[] secret = Secret.of(ground.files()).bytes();
    TrialTokens tokens = new TrialTokens(secret);
    OriginPasses passes = new OriginPasses(secret);
    Access access =
        Access.of(
            tokens(config, own),
            config.accounts().ways(vertx, config.advertiseUrl(), secret, clock, ground.random()),
            tokens,
            bus,
            clock,
            ground.random());
    EdgeVerticle edge =
        roles.contains(ServerRole.GATEWAY)
            ? Edge.of(
                binding.options(),
                bus,
                metrics,
                tokens,
                access,
                new Edge.Places(
                    home.path(),
                    ground.experiments(),
                    nniHome(),
                    Workspaces.in(ground.files()),
                    config.workspaceBytes()),
                new RouterAddress(
                    config.router().domain(),
                    routerPort,
                    config.router().tcp().host(),
                    config.router().advertiseUrl()),
                passes,
                clock,
                ground.random(),
                ground.freshName(),
                storage,
                shared.future(),
                status)
            : Edge.aside(binding.options(), bus, access, clock, storage, shared.future(), status);
    List<String> deciders = new ArrayList<>();
    deciders.add(EdgePort.open(() -> ground.deploy(edge), config));
    Renewals.open(ground, edge.certificates(), clusterTls);
    String url = binding.localUrl(edge);
    String advertised = config.advertiseUrl();

    Promise<Problem> storeLost = Promise.promise();
    Store store = store(vertx, home, config, storeLost);
    Leases leases =
        config.cluster() == null
            ? Leases.ALONE
            : SharedStore.join(ground, store, url, config.cluster().lease());
    shared.complete(leases);
    if (roles.contains(ServerRole.METRICS)) {
      Ground.finish(
          metrics.open(
              leases,
              lease ->
                  config.store() == null
                      ? new LogPlace.Files(ground.files().resolve("metrics"))
                      : new LogPlace.Tables(lease.fencing(store))),
          "the metric log");
    }
    ground.deploy(new TelemetryVerticle(bus, meters));
    vertx.deployVerticle(
        () -> new LoopWatch(meters), new DeploymentOptions().setInstances(loops()));
    if (roles.contains(ServerRole.ROUTER)) {
      ground.deploy(new RouteDoor(bus, clock, routes));
      ground.deploy(new LayerFollower(bus, clock, routes));
    }
    String called = advertised == null ? url : advertised;
    if (roles.contains(ServerRole.TUNER)) {
      Search.open(ground, leases, URI.create(roles.contains(ServerRole.GATEWAY) ? url : called));
    }
    List<Supplier<Future<Void>>> keeping = new ArrayList<>();
    if (roles.contains(ServerRole.ORCHESTRATOR)) {
      ground.deploy(ServiceDuties.studio(ground, store));
      ground.deploy(
          new RouteLayerVerticle(
              bus, store, clock, () -> SharedStore.routers(leases, roles), ground::freshName));
      Orchestration orchestration =
          Orchestration.open(ground, store, leases, metrics, called, tokens, resume);
      ServiceDuties.open(ground, store, leases, home, passes, called)
          .forEach(duty -> keeping.add(duty::close));
      RunWiring.open(ground, store, leases, orchestration, called)
          .forEach(duty -> keeping.add(duty::close));
      deciders.addAll(orchestration.deciders());
      keeping.add(orchestration.platforms()::close);
    }
    KafkaConfig kafka = config.kafka();
    if (kafka != null && roles.contains(ServerRole.METRICS)) {
      // One server speaks with the brokers, or every event would be told once by each.
      LeasedDuty post =
          new LeasedDuty(
              vertx,
              leases,
              clock,
              "kafka",
              lease -> new KafkaVerticle(kafka, bus, metrics, clock));
      Ground.finish(post.open(), "Kafka");
      keeping.add(post::close);
    }
    parts.note();
    Watchdog watchdog = ServingWatch.over(ground, loops(), edge, binding.options().host());
    keeping.addFirst(() -> {
      watchdog.close();
      return Future.succeededFuture();
    });
    storage.started(store, metrics);
    status.started(
        StatusFacts.of(ground, store, leases, storage, url, edge.certificates(), clusterTls));
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
        bus,
        deciders,
        keeping,
        url,
        binding.publicUrl(edge),
        passes,
        storeLost.future());
  }

  private static Path nniHome() {
    return UserHome.of(System.getenv()).resolve("nni-experiments");
  }

  private static int loops() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static Store store(
      Vertx vertx, HomeDirectory home, ServerConfig config, Promise<Problem> lost)
      throws IOException {
    Store store = SharedStore.opened(untraced(vertx, home, config, lost));
    return config.telemetry().traces() == null ? store : new TracedStore(vertx, store);
  }

  private static Store untraced(
      Vertx vertx, HomeDirectory home, ServerConfig config, Promise<Problem> lost)
      throws IOException {
    if (config.store() == null) {
      return SqliteStore.openKept(vertx, home.path().resolve("orrery.db"));
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
      all.add(AccessToken.of("server.json", UserRole.ADMIN, own));
    }
    return all;
  }

  /** The code for the first administrator's account, when there is no account yet. */
  Optional<String> firstSetUp(RandomGenerator random) {
    BearerToken code = BearerToken.random(random);
    return Ground.finish(
                bus.request(People.FIRST, new People.FirstSetUp(code.sha256())),
                "the accounts of users")
            .needed()
        ? Optional.of(code.text())
        : Optional.empty();
  }

  /** Where clients of this machine reach the server, without a trailing slash. */
  String url() {
    return url;
  }

  /** The passes of guarded services. */
  OriginPasses passes() {
    return passes;
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
    Future<Void> kept = decided;
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
