package io.orrery.router.run;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.Watchdog;
import io.orrery.core.time.SystemClock;
import io.orrery.router.control.LastGood;
import io.orrery.router.control.TableInbox;
import io.orrery.router.health.EndpointConnect;
import io.orrery.router.policy.RateExchange;
import io.orrery.router.policy.Rates;
import io.orrery.router.policy.Surroundings;
import io.orrery.router.policy.Tables;
import io.orrery.router.policy.TcpPorts;
import io.orrery.router.proxy.EventLoopTakenException;
import io.orrery.router.proxy.RouterVerticle;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.RouterFile.Address;
import io.orrery.router.route.RouterFile.Listen;
import io.orrery.router.route.RouterFile.Tls;
import io.orrery.router.telemetry.AccessLog;
import io.orrery.router.telemetry.Meters;
import io.orrery.router.wire.Mount;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.spi.VertxTracerFactory;
import io.vertx.core.transport.Transport;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running router. Its methods may be called from any thread that may wait. */
public final class Router implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Router.class);
  private static final long PATIENCE_SECONDS = 30;

  /** How long the router may fail to serve before that is taken for the end. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** How long a port that is about to close still takes connections, and sends them away after. */
  private static final long LEAVE_MILLIS = 1_000;

  /** Vert.x serves nothing from files here, and a killed router would leave its folder behind. */
  private static final FileSystemOptions NO_CACHE =
      new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);

  /** Cheapest first, for Vert.x's own way of forwarding (docs/decisions/0022). */
  private static final List<Transport> FOR_MESSAGES = known(Transport.IO_URING, Transport.EPOLL);

  /** The same for bytes: io_uring is as good for small bodies and worse for large ones (0023). */
  private static final List<Transport> FOR_BYTES = known(Transport.EPOLL, Transport.IO_URING);

  /** How often a verticle is deployed until it gets an event loop of its own. */
  private static final int MOST_DEPLOYMENTS = 256;

  private final Vertx vertx;
  private final Meters meters;
  private final TableInbox inbox;
  private final boolean reusePort;
  private final Watchdog watchdog;
  private final List<RouterVerticle> lanes;
  private volatile boolean ready;

  private Router(
      Vertx vertx,
      Meters meters,
      TableInbox inbox,
      List<RouterVerticle> lanes,
      boolean reusePort,
      Watchdog watchdog) {
    this.lanes = lanes;
    this.watchdog = watchdog;
    this.vertx = vertx;
    this.reusePort = reusePort;
    this.meters = meters;
    this.inbox = inbox;
  }

  /**
   * Starts one, which is closed with a word in the log when it can no longer serve.
   *
   * @param first the table that it begins with
   * @param lastGood where tables are kept; null keeps none
   * @param accessLog null for none; the router does not close it
   * @throws io.orrery.core.problem.ProblemException Conflict when the port is taken, Broken when it
   *     cannot start for another reason
   */
  public static Router start(
      Listen listen, RouteTable first, @Nullable LastGood lastGood, @Nullable AccessLog accessLog) {
    return start(listen, first, lastGood, accessLog, OriginPasses.unknown(), null);
  }

  /**
   * The same with the passes of guarded services; without them every request for one is refused.
   *
   * @param tracing makes a span of each request; null makes none
   */
  public static Router start(
      Listen listen,
      RouteTable first,
      @Nullable LastGood lastGood,
      @Nullable AccessLog accessLog,
      OriginPasses passes,
      @Nullable VertxTracerFactory tracing) {
    AtomicReference<@Nullable Router> running = new AtomicReference<>();
    Router started =
        start(
            listen,
            first,
            lastGood,
            accessLog,
            passes,
            tracing,
            PATIENCE,
            why -> {
              LOG.error(
                  "could not serve requests at port {} any more, closing it: {}",
                  listen.address().port(),
                  why);
              Router deaf = running.get();
              if (deaf != null) {
                deaf.close();
              }
            });
    running.set(started);
    return started;
  }

  /**
   * The same with a say in what happens when it can no longer serve.
   *
   * @param patience how long it may fail to serve
   * @param deaf hears why, once, on a thread of its own
   */
  static Router start(
      Listen listen,
      RouteTable first,
      @Nullable LastGood lastGood,
      @Nullable AccessLog accessLog,
      OriginPasses passes,
      @Nullable VertxTracerFactory tracing,
      Duration patience,
      Consumer<String> deaf) {
    int loops = listen.loops() == 0 ? standardLoops() : listen.loops();
    Mount mount = new Mount(best(listen.fastPath() ? FOR_BYTES : FOR_MESSAGES), listen.reusePort());
    VertxBuilder builder =
        Vertx.builder()
            .with(
                new VertxOptions()
                    .setEventLoopPoolSize(loops)
                    .setWorkerPoolSize(2)
                    .setInternalBlockingPoolSize(2)
                    .setFileSystemOptions(NO_CACHE))
            .withTransport(mount);
    if (tracing != null) {
      builder.withTracer(tracing);
    }
    Vertx vertx = builder.build();
    try {
      mount.on(vertx);
      return start(
          vertx,
          mount,
          listen,
          loops,
          first,
          lastGood,
          accessLog,
          passes,
          new Watchdog("router", patience, deaf));
    } catch (RuntimeException e) {
      vertx.close();
      throw e;
    }
  }

  private static Router start(
      Vertx vertx,
      Mount mount,
      Listen listen,
      int loops,
      RouteTable first,
      @Nullable LastGood lastGood,
      @Nullable AccessLog accessLog,
      OriginPasses passes,
      Watchdog watchdog) {
    EndpointConnect.prepare(first);
    Tables tables = new Tables(first, loops, new TcpPorts(listen.tcp(), listen.reusePort()));
    Meters meters = new Meters();
    RandomGenerator.SplittableGenerator random = new SplittableRandom();
    Rates rates = new Rates();
    PeriodicWork periodic = new PeriodicWork(tables, rates, random.split());
    List<RouterVerticle> lanes = new CopyOnWriteArrayList<>();
    Router router =
        new Router(
            vertx,
            meters,
            new TableInbox(
                tables,
                meters,
                new RateExchange(rates, System::nanoTime),
                lastGood,
                table -> {
                  periodic.watch();
                  turns(lanes).onSuccess(done -> tables.settle(table));
                }),
            lanes,
            listen.reusePort(),
            watchdog);
    Surroundings surroundings =
        new Surroundings(
            tables,
            meters,
            rates,
            listen.limits(),
            new SystemClock(vertx),
            System::nanoTime,
            accessLog,
            passes);
    Future<?> deployed = vertx.deployVerticle(periodic);
    for (int i = 0; i < loops; i++) {
      int number = i;
      deployed =
          deployed
              .compose(before ->
                  deploy(
                      vertx,
                      () ->
                          new RouterVerticle(
                              listen, surroundings, mount, number, loops, random.split()),
                      MOST_DEPLOYMENTS))
              .onSuccess(lanes::add);
    }
    await(deployed, listen.address());
    router.watch(listen, mount);
    router.ready = true;
    return router;
  }

  /**
   * Deploys a verticle on an event loop that has none yet. Vert.x gives its loops in turn to all
   * that ask, and what else asks in between shifts the turn: two of the router's on one loop would
   * leave another loop, and its core, with nothing to do.
   */
  private static Future<RouterVerticle> deploy(
      Vertx vertx, Supplier<RouterVerticle> fresh, int tries) {
    RouterVerticle lane = fresh.get();
    return vertx
        .deployVerticle(lane)
        .map(lane)
        .recover(failure ->
            failure instanceof EventLoopTakenException && tries > 1
                ? deploy(vertx, fresh, tries - 1)
                : Future.failedFuture(failure));
  }

  /** Completes when every event loop has had a turn that began after this call. */
  private static Future<?> turns(List<RouterVerticle> lanes) {
    return Future.all(lanes.stream().map(RouterVerticle::turn).toList());
  }

  private void watch(Listen listen, Mount mount) {
    List<Context> homes = homes();
    for (int i = 0; i < homes.size(); i++) {
      watchdog.loop(i, homes.get(i));
    }
    // Of a shared port the newest process gets all connections.
    if (!listen.reusePort()) {
      watchdog.port(new InetSocketAddress(listen.address().host(), port()), mount::accepted);
    }
    watchdog.start();
  }

  private static int standardLoops() {
    return Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 8);
  }

  /** Those whose classes are there. */
  private static List<Transport> known(@Nullable Transport... transports) {
    return Stream.of(transports).filter(Objects::nonNull).toList();
  }

  /** The first that this machine and its container allow. */
  private static Transport best(List<Transport> transports) {
    return transports.stream().filter(Transport::available).findFirst().orElse(Transport.NIO);
  }

  private static void await(Future<?> started, Address address) {
    try {
      started.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new Problem.Broken("the router did not start within " + PATIENCE_SECONDS + " s")
          .toException();
    } catch (Exception e) { // await throws the cause as it is, checked or not
      for (Throwable t = e; t != null; t = t.getCause()) {
        if (t instanceof BindException || String.valueOf(t.getMessage()).contains("in use")) {
          throw new Problem.Conflict("port " + address.port() + " is taken").toException();
        }
      }
      throw new Problem.Broken(
              "the router cannot listen at "
                  + address.host()
                  + ":"
                  + address.port()
                  + ": "
                  + e.getMessage())
          .toException();
    }
  }

  /** The port that clients come in at. */
  public int port() {
    return lanes.getFirst().actualPort();
  }

  public TableInbox inbox() {
    return inbox;
  }

  public Meters meters() {
    return meters;
  }

  /** Whether requests are taken, and will be for a while. */
  public boolean ready() {
    return ready;
  }

  Vertx vertx() {
    return vertx;
  }

  /** The contexts of its event loops. */
  List<Context> homes() {
    return lanes.stream().map(RouterVerticle::home).toList();
  }

  /** Reads the certificates of the port again; fails when one cannot be used. */
  public Future<Void> certificates(List<Tls> tls) {
    return Future.all(lanes.stream().map(lane -> lane.certificates(tls)).toList()).mapEmpty();
  }

  /**
   * Ends without cutting off any client: is no longer ready, closes each connection after its next
   * answer, then takes no new ones, and waits for what is under way.
   *
   * @param seconds how long at most
   */
  public void drain(long seconds) {
    ready = false;
    watchdog.close();
    lanes.forEach(RouterVerticle::leave);
    try {
      // A successor gets the new connections; ours may still be on their way, or in the queue.
      if (reusePort || meters.connections() > 0) {
        TimeUnit.MILLISECONDS.sleep(LEAVE_MILLIS);
      }
      Future.join(lanes.stream().map(lane -> lane.drain(seconds)).toList())
          .await(seconds + 1, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      LOG.warn("could not finish all requests within {} s", seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    ready = false;
    watchdog.close();
    try {
      vertx.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      LOG.warn("the router did not close within {} s", PATIENCE_SECONDS);
    }
  }
}
