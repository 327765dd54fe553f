package io.orrery.journeys.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import io.orrery.journeys.ServerProcess;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Signs people in at a real OpenID provider, as their browsers do. */
class OpenIdIT {
  private static final String SECRET = "a secret+of/the client & no other";
  private static final String BEGIN = "/api/v1/session/openid";

  @TempDir Path temp;
  private NodeProvider provider;
  private ServerProcess server;

  @BeforeEach
  void start() throws Exception {
    int port = FreePort.take();
    provider = NodeProvider.start(temp, "http://127.0.0.1:" + port, SECRET);
    Path home = temp.toAbsolutePath().resolve("home");
    Files.createDirectories(home);
    Files.writeString(
        home.resolve("orrery.yml"),
        """
        auth:
          sandbox: none
          openId:
            issuer: %s
            clientId: orrery
            scopes: [openid, profile, groups]
            admins: [ml-admins]
        """
            .formatted(provider.issuer()));
    server =
        ServerProcess.begin(
                home,
                List.of("--port", Integer.toString(port), "--router-port", "off"),
                Map.of("ORRERY_AUTH_OPEN_ID_CLIENT_SECRET", SECRET))
            .ready();
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
    if (provider != null) {
      provider.close();
    }
  }

  /** A browser, with cookies and without a script. */
  static final class Browser implements AutoCloseable {
    private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
    private final HttpClient http;

    Browser() {
      http = HttpClient.newBuilder().cookieHandler(cookies).build();
    }

    /** One that trusts an authority of a test. */
    Browser(SSLContext trusting) {
      http = HttpClient.newBuilder().cookieHandler(cookies).sslContext(trusting).build();
    }

    HttpResponse<String> postJson(URI address, String body) throws Exception {
      return http.send(
          HttpRequest.newBuilder(address)
              .timeout(Duration.ofSeconds(30))
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.ofString());
    }

    HttpResponse<String> delete(URI address) throws Exception {
      return http.send(
          HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(30)).DELETE().build(),
          BodyHandlers.ofString());
    }

    HttpResponse<String> put(URI address, String body) throws Exception {
      return http.send(
          HttpRequest.newBuilder(address)
              .timeout(Duration.ofSeconds(30))
              .PUT(BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.ofString());
    }

    HttpResponse<String> get(URI address) throws Exception {
      return http.send(
          HttpRequest.newBuilder(address)
              .timeout(Duration.ofSeconds(30))
              .header("Accept", "text/html,application/json")
              .build(),
          BodyHandlers.ofString());
    }

    HttpResponse<String> post(URI address, Map<String, String> form) throws Exception {
      String body =
          String.join(
              "&",
              form.entrySet().stream()
                  .map(it -> it.getKey() + "=" + URLEncoder.encode(it.getValue(), UTF_8))
                  .toList());
      return http.send(
          HttpRequest.newBuilder(address)
              .timeout(Duration.ofSeconds(30))
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.ofString());
    }

    static URI target(HttpResponse<?> answer) {
      assertThat(answer.statusCode()).as(String.valueOf(answer.body())).isIn(302, 303);
      return answer.uri().resolve(answer.headers().firstValue("Location").orElseThrow());
    }

    /** Follows redirects within the provider, up to the address that leads back. */
    URI backFrom(URI address, String user) throws Exception {
      HttpResponse<String> answer = get(address);
      for (int step = 0; step < 20; step++) {
        if (answer.statusCode() == 200) {
          Matcher form = Pattern.compile("action=\"([^\"]+)\"").matcher(answer.body());
          assertThat(form.find()).as(answer.body()).isTrue();
          boolean login = answer.body().contains("name=\"login\"");
          answer =
              post(
                  answer.uri().resolve(form.group(1)),
                  login
                      ? Map.of("prompt", "login", "login", user, "password", "any")
                      : Map.of("prompt", "consent"));
        } else {
          URI next = target(answer);
          if (next.getPath().equals(BEGIN + "/callback")) {
            return next;
          }
          answer = get(next);
        }
      }
      throw new AssertionError("the provider does not lead back");
    }

    List<HttpCookie> cookies() {
      return cookies.getCookieStore().getCookies();
    }

    @Override
    public void close() {
      http.close();
    }
  }

  private URI at(String path) {
    return server.url().resolve(path);
  }

  private URI signedInAt(Browser browser, String user) throws Exception {
    HttpResponse<String> begun = browser.get(at(BEGIN));
    assertThat(begun.headers().firstValue("Set-Cookie").orElseThrow())
        .contains("HTTPOnly")
        .contains("SameSite=Lax")
        .contains("Path=" + BEGIN);
    return browser.backFrom(Browser.target(begun), user);
  }

  private JsonNode me(Browser browser) throws Exception {
    HttpResponse<String> answer = browser.get(at("/api/v1/me"));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.parse(answer.body());
  }

  // ---- tests ---------------------------------------------------------------------------------

  @Test
  void peopleSignInAtTheProviderAndItsGroupsMakeAdministrators() throws Exception {
    try (Browser ann = new Browser();
        Browser bob = new Browser()) {
      assertThat(ann.get(at("/login")).body())
          .contains("href=\"api/v1/session/openid\"")
          .doesNotContain("name=\"password\"");
      HttpResponse<String> end = ann.get(signedInAt(ann, "ann"));
      assertThat(Browser.target(end)).isEqualTo(at("/login?done"));
      assertThat(String.join(" ", end.headers().allValues("Set-Cookie")))
          .contains("orrery_session=")
          .contains("SameSite=Strict");
      assertThat(ann.get(at("/login?done")).body()).contains("url=./");
      assertThat(ann.cookies()).noneMatch(cookie -> cookie.getName().equals("orrery_openid"));
      assertThat(me(ann).get("user").textValue()).isEqualTo("ann");
      assertThat(me(ann).get("role").textValue()).isEqualTo("admin");

      bob.get(signedInAt(bob, "bob"));
      assertThat(me(bob).get("role").textValue()).isEqualTo("user");

      assertThat(ann.get(at("/api/v1/audit?user=bob")).body())
          .contains("by the provider " + provider.issuer());
      assertThat(bob.get(at("/api/v1/audit")).statusCode()).isEqualTo(403);
    }
  }

  @Test
  void aCallbackThatBelongsToAnotherBrowserSignsNoUserIn() throws Exception {
    try (Browser ann = new Browser();
        Browser eve = new Browser()) {
      URI callback = signedInAt(eve, "bob");
      ann.get(at(BEGIN));

      assertThat(Browser.target(ann.get(callback))).isEqualTo(at("/login?provider"));
      assertThat(ann.get(at("/api/v1/me")).statusCode()).isNotEqualTo(200);
      URI changed = URI.create(callback.toString().replaceAll("state=[^&]+", "state=x"));
      assertThat(Browser.target(eve.get(changed))).isEqualTo(at("/login?provider"));
      assertThat(eve.get(at("/login?provider")).body()).contains("did not succeed");
    }
  }

  @Test
  void aTamperedRequestIsRefusedByTheProvider() throws Exception {
    try (Browser browser = new Browser()) {
      String asked = Browser.target(browser.get(at(BEGIN))).toString();
      String elsewhere = URLEncoder.encode("https://evil.example/cb", UTF_8);

      assertThat(
              browser
                  .get(
                      URI.create(
                          asked.replaceAll("redirect_uri=[^&]+", "redirect_uri=" + elsewhere)))
                  .statusCode())
          .isEqualTo(400);
      URI changed =
          browser.backFrom(
              URI.create(
                  asked.replaceAll("code_challenge=[^&]+", "code_challenge=" + "A".repeat(43))),
              "bob");
      assertThat(Browser.target(browser.get(changed))).isEqualTo(at("/login?provider"));
      assertThat(browser.get(at("/api/v1/me")).statusCode()).isNotEqualTo(200);
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void signingOutNamesTheAddressWhereTheSessionAtTheProviderEnds() throws Exception {
    try (Browser bob = new Browser()) {
      bob.get(signedInAt(bob, "bob"));
      HttpResponse<String> out = bob.delete(at("/api/v1/session"));
      assertThat(out.statusCode()).isEqualTo(200);
      URI end = URI.create(Json.parse(out.body()).get("endSession").textValue());
      assertThat(bob.get(at("/api/v1/me")).statusCode()).isNotEqualTo(200);

      HttpResponse<String> form = bob.get(end);
      Matcher xsrf = Pattern.compile("name=\"xsrf\" value=\"([^\"]+)\"").matcher(form.body());
      Matcher action = Pattern.compile("action=\"([^\"]+)\"").matcher(form.body());
      assertThat(xsrf.find() && action.find()).as(form.body()).isTrue();
      HttpResponse<String> ended =
          bob.post(
              form.uri().resolve(action.group(1)), Map.of("xsrf", xsrf.group(1), "logout", "yes"));
      assertThat(Browser.target(ended)).isEqualTo(at("/login"));
    }
  }

  @Test
  void theSecretOfTheClientIsInNoLogAnswerOrCommandLine() throws Exception {
    try (Browser ann = new Browser()) {
      StringBuilder seen = new StringBuilder();
      URI callback = signedInAt(ann, "ann");
      seen.append(callback).append(ann.get(callback).headers().map());
      for (String path :
          List.of("/login", "/api/v1/session", "/api/v1/logs", "/api/v1/audit", "/metrics")) {
        seen.append(ann.get(at(path)).body());
      }
      seen.append(server.log());
      try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
        for (Path process :
            processes.filter(it -> it.toString().matches("/proc/[0-9]+")).toList()) {
          try {
            seen.append(
                Files.readString(
                    process.resolve("cmdline"), java.nio.charset.StandardCharsets.ISO_8859_1));
          } catch (java.io.IOException gone) {
            seen.append('\n');
          }
        }
      }

      assertThat(seen.toString())
          .contains("/callback?code=")
          .doesNotContain(SECRET)
          .doesNotContain(URLEncoder.encode(SECRET, UTF_8));
    }
  }
}
