package io.orrery.journeys.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A server with a router and a browser, one each for all tests of a class. */
abstract class OwnServer {
  /** A server for mail that takes none. */
  private static final Map<String, String> MAIL =
      Map.of(
          "ORRERY_MAIL_HOST", "localhost",
          "ORRERY_MAIL_PORT", "1",
          "ORRERY_MAIL_SECURITY", "none",
          "ORRERY_MAIL_FROM", "orrery@example.com");

  @TempDir static Path home;
  static Chromium chromium;
  static ServerProcess server;

  @BeforeAll
  static void open() throws Exception {
    chromium = Chromium.launch();
    server =
        ServerProcess.begin(
                home.resolve("home").toAbsolutePath(),
                List.of("--port", "0", "--router-port", "0"),
                environment())
            .ready();
  }

  /** A server of root builds images as another user, one that may have user namespaces. */
  private static Map<String, String> environment() throws IOException {
    Map<String, String> all = new HashMap<>(MAIL);
    Path ids = Path.of("/etc/subuid");
    if ("root".equals(System.getProperty("user.name")) && Files.isReadable(ids)) {
      Files.readAllLines(ids).stream()
          .map(line -> line.split(":")[0])
          .filter(user -> !user.equals("root"))
          .findFirst()
          .ifPresent(user -> {
            all.put("ORRERY_BUILDS_USER", user);
            all.put("ORRERY_BUILDS_DIRECTORY", home.resolve("builds").toAbsolutePath().toString());
          });
    }
    return all;
  }

  @AfterAll
  static void close() {
    if (chromium != null) {
      chromium.close();
    }
    if (server != null) {
      server.close();
    }
  }

  static Visit visit(String address) {
    return new Visit(chromium, server.url()).to(address);
  }

  static HttpResponse<String> send(String method, String path, String body) throws Exception {
    return server.send(method, path, BodyPublishers.ofString(body));
  }

  static void put(String path, String document) throws Exception {
    HttpResponse<String> done = send("PUT", path, document);
    assertThat(done.statusCode()).as(done.body()).isIn(200, 201);
  }

  /** The section of a page with a title. */
  static Locator section(Visit visit, String title) {
    return visit.at("section:has(h2:text-is('" + title + "'))");
  }
}
