package io.orrery.gateway;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.Caller;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.Topic;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.People;
import io.orrery.core.json.Json;
import io.orrery.core.lease.Leases;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Workspaces;
import io.orrery.gateway.auth.Access;
import io.orrery.gateway.auth.AccessToken;
import io.orrery.gateway.auth.SignInWays;
import io.orrery.gateway.channel.TrialTokens;
import io.orrery.gateway.health.Readiness;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.EdgeVerticle;
import io.orrery.gateway.http.Served;
import io.orrery.gateway.service.RouterAddress;
import io.orrery.gateway.status.StatusBoard;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The real edge on a free port, with a bus on which the test plays the other modules. */
public final class EdgeServer {
  public static final byte[] SECRET =
      "a secret of this test, 32 bytes.".getBytes(StandardCharsets.UTF_8);

  /** Where experiments have their directories. */
  public static final Path EXPERIMENTS = Path.of("/srv/orrery/experiments");

  /** How much a person may have in the own directory. */
  public static final long WORKSPACE_BYTES = 8L << 20;

  public final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
  public final RecordingSink sink = new RecordingSink();
  public final TrialTokens tokens = new TrialTokens(SECRET);
  public final List<Object> questions = new CopyOnWriteArrayList<>();
  public volatile boolean ready = true;

  /** The tags of trials, by the trial's id. */
  public volatile Map<String, List<String>> trialTags = Map.of();

  /** Says that the server starts, until a test says more. */
  public final StatusBoard status = new StatusBoard();

  public final Bus bus = Bus.of(vertx);
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private final EdgeVerticle edge;
  private final String deployment;
  private final List<Bus.Subscription> tags;

  /** The directories of people. */
  public final Workspaces workspaces = Workspaces.in(Files.createTempDirectory("orrery-edge-"));

  /** Whether callers are users with accounts; without, each is that of the operating system. */
  public final boolean hasAccounts;

  /**
   * @param users callers by the secrets of their sessions or tokens; null where there are no users
   */
  private EdgeServer(
      EdgeOptions options, List<AccessToken> known, @Nullable Map<String, Caller> users)
      throws Exception {
    SystemClock clock = new SystemClock(vertx);
    Edge.Places plain = Edge.Places.in(EXPERIMENTS.getParent());
    Edge.Places places =
        new Edge.Places(
            plain.home(), plain.experiments(), plain.nni(), workspaces, WORKSPACE_BYTES);
    hasAccounts = users != null;
    if (users != null) {
      play(users);
    } else if (!known.isEmpty()) {
      playSessions();
    }
    Access access =
        Access.of(
            known,
            users == null ? SignInWays.NONE : SignInWays.PASSWORDS,
            tokens,
            bus,
            clock,
            new SecureRandom());
    edge =
        Edge.of(
            options,
            bus,
            sink,
            tokens,
            access,
            places,
            new RouterAddress("orrery.localhost", () -> 8000, "127.0.0.1", null),
            new OriginPasses(new byte[32]),
            clock,
            new SecureRandom(),
            "test",
            this::health,
            Future.succeededFuture(Leases.ALONE),
            status);
    tags =
        List.of(
            bus.serve(
                    Annotations.OF_EXPERIMENTS,
                    of -> Future.succeededFuture(new Annotations.Tags(Map.of())))
                .await(10, SECONDS),
            bus.serve(
                    Annotations.OF_TRIALS,
                    of -> Future.succeededFuture(new Annotations.Tags(trialTags)))
                .await(10, SECONDS));
    deployment = vertx.deployVerticle(edge).onFailure(failed -> vertx.close()).await(20, SECONDS);
  }

  private Future<Readiness.State> health() {
    return Future.succeededFuture(ready ? Readiness.State.READY : Readiness.State.STARTING);
  }

  public static EdgeServer start() throws Exception {
    return start(EdgeOptions.loopback(0));
  }

  public static EdgeServer start(EdgeOptions options) throws Exception {
    return new EdgeServer(options, List.of(), null);
  }

  /** An edge that asks for a token. */
  public static EdgeServer start(EdgeOptions options, List<AccessToken> known) throws Exception {
    return new EdgeServer(options, known, null);
  }

  /** An edge whose people have accounts. */
  public static EdgeServer withUsers(Map<String, Caller> users) throws Exception {
    return withUsers(users, List.of());
  }

  /** The same with service accounts beside them. */
  public static EdgeServer withUsers(Map<String, Caller> users, List<AccessToken> known)
      throws Exception {
    return new EdgeServer(EdgeOptions.loopback(0), known, users);
  }

  /** Plays the studio for callers. */
  private void play(Map<String, Caller> users) throws Exception {
    Map<String, Caller> byDigest = new HashMap<>();
    users.forEach((secret, caller) -> byDigest.put(new BearerToken(secret).sha256(), caller));
    bus.serve(People.REVISION, asked -> Future.succeededFuture(new People.Revision(1)))
        .await(10, SECONDS);
    bus.serve(
            People.IDENTIFY,
            asked ->
                Future.succeededFuture(
                    new People.Identity(byDigest.get(asked.digest()), null, 1, null)))
        .await(10, SECONDS);
  }

  /** Plays the studio for sessions that tokens of the configuration begin. */
  private void playSessions() throws Exception {
    Map<String, String> tokenOfSession = new ConcurrentHashMap<>();
    AtomicLong revision = new AtomicLong(1);
    bus.serve(People.REVISION, asked -> Future.succeededFuture(new People.Revision(revision.get())))
        .await(10, SECONDS);
    bus.serve(
            People.TOKEN_SIGN_IN,
            asked -> {
              tokenOfSession.put(asked.session(), asked.token());
              return Future.succeededFuture(new People.Done());
            })
        .await(10, SECONDS);
    bus.serve(
            People.IDENTIFY,
            asked ->
                Future.succeededFuture(
                    new People.Identity(
                        null, null, revision.get(), tokenOfSession.get(asked.digest()))))
        .await(10, SECONDS);
    bus.serve(
            People.SIGN_OUT,
            asked -> {
              tokenOfSession.remove(asked.session());
              bus.publish(People.CHANGED, new People.Revision(revision.incrementAndGet()));
              return Future.succeededFuture(new People.SignedOut(false));
            })
        .await(10, SECONDS);
  }

  /** Plays the module that serves an address, and remembers what it was asked. */
  public <Q, A> void on(Address<Q, A> address, Function<Q, Future<A>> answer) throws Exception {
    bus.serve(
            address,
            question -> {
              questions.add(question);
              return answer.apply(question);
            })
        .await(10, SECONDS);
  }

  /** From now on no module serves the tags of experiments and trials. */
  public void loseTags() throws Exception {
    for (Bus.Subscription served : tags) {
      served.cancel().await(10, SECONDS);
    }
  }

  public <Q, A> void answer(Address<Q, A> address, A answer) throws Exception {
    on(address, question -> Future.succeededFuture(answer));
  }

  /** Says on the bus what another module would. */
  public <E> void publish(Topic<E> topic, E event) {
    bus.publish(topic, event);
  }

  /** Everything that is served. */
  public List<Served> table() {
    return edge.table();
  }

  public int port() {
    return edge.actualPort();
  }

  public int localPort() {
    return edge.localPort();
  }

  public void undeploy() throws Exception {
    vertx.undeploy(deployment).await(20, SECONDS);
  }

  public HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send("GET", path, "");
  }

  public HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return send("POST", path, body);
  }

  public HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        request(path)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    ApiDocument.THE_ONE.check(method, path, response);
    return response;
  }

  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
        .timeout(Duration.ofSeconds(30));
  }

  public HttpClient client() {
    return client;
  }

  /** A connection on which the test writes HTTP itself. */
  public RawClient raw() throws IOException {
    return new RawClient(port());
  }

  /**
   * The answer to a request that no client would send as it is written here.
   *
   * @param line the method and the address
   */
  public String ask(String line, String... headers) throws IOException {
    try (RawClient raw = raw()) {
      return raw.write(line + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\n\r\n").answer();
    }
  }

  public static JsonNode json(HttpResponse<String> response) {
    return Json.parse(response.body());
  }

  public void close() throws Exception {
    client.close();
    vertx.close().await(20, SECONDS);
    try (Stream<Path> files = Files.walk(workspaces.root().getParent())) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
