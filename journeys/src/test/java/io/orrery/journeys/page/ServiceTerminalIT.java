package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opens terminals of the page in a process of this machine and in a pod. */
@Timeout(180)
class ServiceTerminalIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir static Path temp;
  private static Chromium chromium;
  private static MockCluster cluster;
  private static ServerProcess server;

  @BeforeAll
  static void open() throws Exception {
    chromium = Chromium.launch();
    cluster = new MockCluster(temp.resolve("node"), true);
    cluster.allow(Path.of("../deploy/kubernetes/rbac.yaml"));
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(
        home.resolve("orrery.yml"),
        "clusters: {kube: {runtime: kubernetes, kubeconfig: '%s', namespaces: {service: trials}}}\n"
            .formatted(cluster.kubeconfig(temp.toAbsolutePath().resolve("kubeconfig"))));
    server = ServerProcess.start(home);
    put("here", "");
    put("pod", ", \"cluster\": \"kube\", \"image\": \"busybox:1\"");
  }

  private static void put(String name, String more) throws Exception {
    String document =
        "{\"name\": \"%s\", \"command\": \"exec sleep 1000\", \"grace\": \"1s\"%s}"
            .formatted(name, more);
    assertThat(
            server.send("PUT", "/services/" + name, BodyPublishers.ofString(document)).statusCode())
        .isEqualTo(201);
    await()
        .atMost(PATIENCE)
        .until(() -> server.get("/services/" + name).at("/state/status").asText().equals("READY"));
  }

  @AfterAll
  static void close() throws Exception {
    if (chromium != null) {
      chromium.close();
    }
    if (server != null) {
      for (String name : new String[] {"here", "pod"}) {
        server.send("DELETE", "/services/" + name, BodyPublishers.noBody());
      }
      await().atMost(PATIENCE).until(() -> server.get("/workloads").get("items").isEmpty());
      server.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"here", "pod"})
  void aTerminalTakesKeysPasteAndSizeAndTellsHowItsShellEnded(String name) {
    try (Visit visit = new Visit(chromium, server.url()).to("/services/" + name + "/terminal")) {
      visit.button("Open a terminal").click();
      Locator lines = visit.at("terminal-view .lines");
      Locator field = visit.at("terminal-view textarea");
      assertThat(field).isFocused();
      assertThat(lines).containsText(Pattern.compile("[#$] "));

      visit.page().keyboard().type("echo \"größe $((6 * 7))\"");
      visit.page().keyboard().press("Enter");
      assertThat(lines).containsText("größe 42");
      awaitColumns(visit, columns -> columns > 100);

      visit.page().keyboard().type("echo $((6 * 7))nd; cat");
      visit.page().keyboard().press("Enter");
      // Before the shell runs the line, Control+C is a character like others.
      assertThat(lines).containsText("42nd");
      visit.page().keyboard().type("typed");
      visit.page().keyboard().press("Control+c");
      visit.page().keyboard().type("echo again");
      visit.page().keyboard().press("ArrowLeft");
      visit.page().keyboard().press("Backspace");
      visit.page().keyboard().press("Enter");

      visit.page().setViewportSize(700, 900);
      awaitColumns(visit, columns -> columns > 0 && columns < 100);

      visit.page().keyboard().type("exit 7");
      visit.page().keyboard().press("Enter");
      assertThat(visit.at("terminal-view [role=status]"))
          .containsText("The shell has ended with exit code 7.");
      assertThat(visit.at("terminal-view .cursor")).hasCount(0);
      visit.button("Open again").click();
      assertThat(field).isFocused();
      visit.page().keyboard().press("Control+Shift+X");
      assertThat(field).not().isFocused();
    }
  }

  /** Asks the shell for its size again and again: a new one is on its way to it for a moment. */
  private static void awaitColumns(Visit visit, IntPredicate wanted) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> {
          boolean told = wanted.test(columns(visit.at("terminal-view .lines")));
          if (!told) {
            visit.page().keyboard().type("clear; stty size");
            visit.page().keyboard().press("Enter");
          }
          return told;
        });
  }

  /** The columns that {@code stty size} told last; 0 before. */
  private static int columns(Locator lines) {
    return lines
        .innerText()
        .lines()
        .map(String::strip)
        .filter(line -> line.matches("[0-9]+ [0-9]+"))
        .mapToInt(line -> Integer.parseInt(line.substring(line.indexOf(' ') + 1)))
        .reduce(0, (one, other) -> other);
  }
}
