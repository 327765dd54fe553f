package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import io.orrery.journeys.TestAuthority;
import io.orrery.journeys.TestAuthority.Issued;
import io.orrery.journeys.access.OpenIdIT.Browser;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Takes the steps of {@code docs/how-to/set-up-a-team.md}, with certificates of its own. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class TeamSetUpIT {
  private static final Path PAGE = Path.of("..", "docs/how-to/set-up-a-team.md");
  private static final Path EXAMPLES = Path.of("..").toAbsolutePath().normalize();
  private static final Path BUBBLEWRAP = Path.of("/usr/bin/bwrap");
  private static final String OPEN = "auth:\n  sandbox: none\n";
  private static final String SECRET = "the secret of the team's client";
  private static final Pattern ROUTER = Pattern.compile("router is ready at https://[^:]+:(\\d+),");
  private static final Pattern LINE = Pattern.compile("sha256: ([0-9a-f]{64})");

  @TempDir Path temp;
  private Path home;
  private ServerProcess server;

  private record Ended(int code, String out, String err) {}

  /** A block of the page, which has to be there. */
  private static String block(String language, String part) throws IOException {
    for (String each : Files.readString(PAGE).split("```")) {
      if (each.startsWith(language + "\n") && each.contains(part)) {
        return each.substring(language.length() + 1);
      }
    }
    throw new AssertionError("the page has no block with " + part);
  }

  @Test
  @Timeout(600)
  void theStepsOfThePageMakeAServerForATeam() throws Exception {
    TestAuthority authority = new TestAuthority(temp.resolve("authority"));
    Issued own = authority.issue("server", 90);
    Issued models = authority.issue("models", 90, "dns:*.service.models.example.com");
    SSLContext trusting = authority.stranger();
    int port = FreePort.take();
    String url = "https://localhost:" + port;
    home = Files.createDirectories(temp.resolve("home")).toRealPath();
    Ended made = orrery(Map.of(), "token", "create", "router", "--role", "viewer");
    Matcher line = LINE.matcher(made.err());
    assertThat(line.find()).as(made.err()).isTrue();
    try (NodeProvider provider = NodeProvider.start(temp, url, SECRET)) {
      String configuration =
          block("yaml", "advertiseUrl")
              .replace("host: 0.0.0.0", "host: 127.0.0.1")
              .replace("port: 8443", "port: " + port)
              .replace("https://orrery.example.com:8443", url)
              .replace("server.pem", own.certificate().toString())
              .replace("key: server.key}", "key: " + own.key() + ", localPort: 0}")
              .replace("postgresql://orrery@127.0.0.1:5432/orrery", PostgresServer.newDatabase())
              .replace("auth:\n", Files.isExecutable(BUBBLEWRAP) ? "auth:\n" : OPEN)
              .replace("sha256: …", "sha256: " + line.group(1))
              .replace("https://id.example.com/realms/ml", provider.issuer())
              .replace(
                  "scopes: [openid, profile, email, groups]", "scopes: [openid, profile, groups]");
      Files.writeString(home.resolve("orrery.yml"), configuration);
      try (ServerProcess started =
              ServerProcess.begin(
                      home,
                      List.of("--router-port", "0"),
                      Map.of("ORRERY_AUTH_OPEN_ID_CLIENT_SECRET", SECRET))
                  .ready();
          Browser ann = new Browser(trusting);
          Browser bob = new Browser(trusting);
          Browser carol = new Browser(trusting)) {
        server = started;
        signIn(ann, url, "ann");
        signIn(bob, url, "bob");
        signIn(carol, url, "carol");
        assertThat(me(ann, url).path("role").asText()).isEqualTo("admin");
        assertThat(me(bob, url).path("role").asText()).isEqualTo("user");
        Map<String, String> annToken = token(ann, url);
        Path projects =
            Files.writeString(temp.resolve("projects.yml"), block("yaml", "kind: Project"));
        expectDone(annToken, "apply", "-f", projects.toString());
        expectDone(annToken, "project", "members", "vision", "--add", "bob", "--role", "member");
        expectDone(annToken, "project", "members", "speech", "--add", "carol", "--role", "creator");
        assertThat(expectDone(annToken, "project", "usage", "vision").out()).contains("16");

        Path log = temp.resolve("router.log");
        Process router = route(models, authority, url, made.out().strip(), log);
        try {
          ServersTogether.await("a router", () -> ROUTER.matcher(Files.readString(log)).find());
          Matcher ready = ROUTER.matcher(Files.readString(log));
          assertThat(ready.find()).isTrue();
          Map<String, String> bobToken = token(bob, url);
          expectDone(
              bobToken,
              "apply",
              "-f",
              EXAMPLES.resolve("examples/services/hello.yml").toString(),
              "--project",
              "vision");
          int routed = Integer.parseInt(ready.group(1));
          ServersTogether.await(
              "an answer under the wildcard domain",
              () ->
                  inference(trusting, routed, "hello.service.models.example.com")
                      .contains("Hello from"));
          assertThat(orrery(bobToken, "service", "list").out())
              .contains("https://hello.service.models.example.com/");
          authority.issue("models", 60, "dns:*.service.models.example.com");
          BigInteger renewed = authority.serial("models");
          ServersTogether.await(
              "the router's new certificate",
              () ->
                  TestAuthority.shown(trusting, routed, new byte[0])
                      .getSerialNumber()
                      .equals(renewed));
          assertThat(orrery(token(carol, url), "service", "list").out()).doesNotContain("hello");
          expectDone(bobToken, "delete", "service", "hello");
          ServersTogether.await(
              "no workload",
              () -> orrery(annToken, "service", "list", "--json").out().contains("\"items\":[]"));
        } finally {
          router.destroyForcibly().onExit().join();
        }
      }
    }
  }

  private Process route(Issued models, TestAuthority authority, String url, String token, Path log)
      throws IOException {
    String file =
        block("yaml", "domain: models.example.com\n")
            .replace("host: 0.0.0.0", "host: 127.0.0.1")
            .replace("port: 443", "port: 0")
            .replace("/var/lib/orrery/models.pem", models.certificate().toString())
            .replace("/var/lib/orrery/models.key", models.key().toString());
    Path routes = temp.resolve("routes.yml");
    Files.writeString(
        routes,
        file + "admin: {port: 0}\nfollow: {authority: '" + authority.certificate() + "'}\n");
    Files.writeString(log, "");
    ProcessBuilder builder =
        new ProcessBuilder(
            ServerProcess.command("route", "--config", routes.toString(), "--follow", url));
    builder.environment().put("ORRERY_TOKEN", token);
    return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  private static void signIn(Browser browser, String url, String user) throws Exception {
    HttpResponse<String> begun = browser.get(URI.create(url + "/api/v1/session/openid"));
    URI back = browser.backFrom(Browser.target(begun), user);
    HttpResponse<String> done = browser.get(back);
    assertThat(done.statusCode()).as(done.body()).isIn(302, 303);
  }

  private static JsonNode me(Browser browser, String url) throws Exception {
    HttpResponse<String> answer = browser.get(URI.create(url + "/api/v1/me"));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.parse(answer.body());
  }

  private Map<String, String> token(Browser browser, String url) throws Exception {
    HttpResponse<String> answer =
        browser.postJson(
            URI.create(url + "/api/v1/me/tokens"),
            "{\"name\": \"cli-%d\"}".formatted(System.nanoTime()));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return Map.of(
        "ORRERY_URL",
        server.url().toString(),
        "ORRERY_TOKEN",
        Json.parse(answer.body()).get("token").textValue());
  }

  private static String inference(SSLContext trusting, int port, String host) throws IOException {
    try (SSLSocket socket =
        (SSLSocket) trusting.getSocketFactory().createSocket("127.0.0.1", port)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(host)));
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                  .formatted(host)
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private Ended expectDone(Map<String, String> who, String... arguments) throws Exception {
    Ended ended = orrery(who, arguments);
    assertThat(ended.code()).as(ended.err() + ended.out()).isZero();
    return ended;
  }

  private Ended orrery(Map<String, String> who, String... arguments) throws Exception {
    Path err = Files.createTempFile(temp, "err", ".txt");
    ProcessBuilder builder = new ProcessBuilder(ServerProcess.command(arguments));
    builder.environment().putAll(new HashMap<>(who));
    builder.environment().put("ORRERY_HOME", home.toString());
    builder.redirectInput(Path.of("/dev/null").toFile()).redirectError(err.toFile());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), out, Files.readString(err));
  }
}
