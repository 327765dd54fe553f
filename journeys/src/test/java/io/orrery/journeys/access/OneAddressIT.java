package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import io.orrery.journeys.access.OpenIdIT.Browser;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Uses two servers behind a load balancer with one {@code http.advertiseUrl}: each request comes to
 * the other server than the one before.
 */
@Timeout(300)
class OneAddressIT {
  private static final String SECRET = "the secret of the client";
  private static final int LEASE_SECONDS = 6;
  private static final int BOTH = 4;

  @TempDir Path temp;
  private NodeProvider provider;
  private ServerProcess first;
  private ServerProcess second;
  private LoadBalancer balancer;

  @BeforeEach
  void start() throws Exception {
    int port = FreePort.take();
    URI address = URI.create("http://127.0.0.1:" + port);
    provider = NodeProvider.start(temp, address.toString(), SECRET);
    String configuration =
        """
        http: {advertiseUrl: '%s'}
        auth:
          sandbox: none
          openId:
            issuer: %s
            clientId: orrery
            clientSecret: %s
            scopes: [openid, profile, groups]
            admins: [ml-admins]
        """
            .formatted(address, provider.issuer(), SECRET);
    ServersTogether servers =
        new ServersTogether(temp, PostgresServer.newDatabase(), 2, LEASE_SECONDS);
    first = servers.begin("first", 0, configuration);
    second = servers.begin("second", 1, configuration);
    first.ready();
    second.ready();
    balancer =
        LoadBalancer.start(
            port, List.of(first.url(), second.url()), temp.resolve("nginx").toAbsolutePath());
  }

  @AfterEach
  void stop() {
    for (AutoCloseable each : Arrays.asList(balancer, first, second, provider)) {
      if (each != null) {
        close(each);
      }
    }
  }

  private static void close(AutoCloseable each) {
    try {
      each.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private URI at(String path) {
    return balancer.url().resolve(path);
  }

  private void signIn(Browser browser, String user) throws Exception {
    HttpResponse<String> begun = browser.get(at("/api/v1/session/openid"));
    HttpResponse<String> end = browser.get(browser.backFrom(Browser.target(begun), user));
    assertThat(Browser.target(end)).isEqualTo(at("/login?done"));
  }

  /** The answer to a request that both servers are asked, twice each. */
  private String everywhere(Browser browser, String path) throws Exception {
    String body = "";
    for (int i = 0; i < BOTH; i++) {
      HttpResponse<String> answer = browser.get(at(path));
      assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(200);
      body = answer.body();
    }
    return body;
  }

  private String experiment(Browser browser) throws Exception {
    String base = temp.toAbsolutePath().toString().replace(" ", "%20");
    HttpResponse<String> created =
        browser.postJson(
            at("/api/v1/experiments?base=" + base),
            """
            trialCommand: 'echo "orrery: final 1"'
            trialConcurrency: 1
            maxTrialNumber: 4
            searchSpace: {x: {_type: uniform, _value: [0, 1]}}
            tuner: {name: Random, classArgs: {optimize_mode: maximize}}
            trainingService: {platform: local}
            """);
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    return Json.parse(created.body()).get("id").textValue();
  }

  @Test
  void peopleSignInWorkAndSignOutAsAtOneServer() throws Exception {
    try (Browser ann = new Browser();
        Browser bob = new Browser()) {
      signIn(ann, "ann");
      signIn(bob, "bob");
      assertThat(Json.parse(everywhere(ann, "/api/v1/me")).get("role").textValue())
          .isEqualTo("admin");
      assertThat(Json.parse(everywhere(bob, "/api/v1/me")).get("user").textValue())
          .isEqualTo("bob");

      String id = experiment(bob);
      String path = "/api/v1/experiments/" + id;
      everywhere(bob, path);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> Json.parse(bob.get(at(path)).body()).path("status").asText("").equals("DONE"));
      JsonNode trials = Json.parse(everywhere(bob, path + "/trials"));
      String trial = trials.findValue("id").textValue();
      assertThat(everywhere(bob, path + "/trials/" + trial + "/file?path=stdout"))
          .contains("orrery: final 1");

      assertThat(bob.put(at("/api/v1/files/bob/notes.txt"), "kept").statusCode()).isLessThan(300);
      assertThat(everywhere(bob, "/api/v1/files/bob/notes.txt")).isEqualTo("kept");

      HttpResponse<String> out = bob.delete(at("/api/v1/session"));
      assertThat(out.statusCode()).isEqualTo(200);
      for (int i = 0; i < BOTH; i++) {
        assertThat(bob.get(at("/api/v1/me")).statusCode()).isEqualTo(303);
      }
      everywhere(ann, "/api/v1/me");
    }
  }

  @Test
  void aServerThatIsKilledIsNotMissedAndEachStreamSaysThatItBeginsAgain() throws Exception {
    HttpClient http = HttpClient.newHttpClient();
    try (Browser ann = new Browser()) {
      signIn(ann, "ann");
      String cookie =
          ann.cookies().stream()
              .map(each -> each.getName() + "=" + each.getValue())
              .collect(Collectors.joining("; "));
      OpenStream one = OpenStream.events(http, balancer.url(), "Cookie", cookie);
      OpenStream other = OpenStream.events(http, balancer.url(), "Cookie", cookie);
      String before = experiment(ann);
      await().atMost(Duration.ofSeconds(20)).until(() -> one.told().contains(before));
      await().atMost(Duration.ofSeconds(20)).until(() -> other.told().contains(before));

      first.kill();
      await().atMost(Duration.ofSeconds(20)).until(() -> one.isOpen() != other.isOpen());
      for (int i = 0; i < BOTH; i++) {
        assertThat(ann.get(at("/api/v1/me")).statusCode()).isEqualTo(200);
      }
      String last = lastId(one.isOpen() ? other : one);
      OpenStream again =
          OpenStream.events(http, balancer.url(), "Cookie", cookie, "Last-Event-ID", last);
      await().atMost(Duration.ofSeconds(20)).until(() -> again.told().contains("event: reset"));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> ann.get(at("/api/v1/experiments/" + before)).statusCode() == 200);
    } finally {
      http.shutdownNow();
    }
  }

  private static String lastId(OpenStream stream) {
    return stream
        .told()
        .lines()
        .filter(line -> line.startsWith("id: "))
        .reduce((earlier, later) -> later)
        .orElseThrow()
        .substring("id: ".length());
  }
}
