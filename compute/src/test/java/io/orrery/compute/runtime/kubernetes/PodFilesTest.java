package io.orrery.compute.runtime.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.file.TarView;
import io.orrery.core.json.Json;
import io.orrery.core.project.Mounts;
import io.orrery.core.workload.Exposure;
import io.orrery.core.workload.ModelFiles;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadSpec;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodFilesTest {
  private static final String DIGEST = "0a".repeat(32);
  private static final PodFiles FILES =
      new PodFiles("http://orrery:8080", new OriginPasses(new byte[16]), null);

  @TempDir Path temp;

  private static WorkloadSpec spec(@Nullable String code) {
    return new WorkloadSpec(
            List.of("serve", ModelFiles.PLACE),
            "python:3",
            code == null ? null : "/home/ann/.orrery/bundles/" + code,
            Map.of("MODEL", ModelFiles.PLACE + "/a"),
            List.of(),
            null,
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Resources.UNLIMITED,
            Mounts.NONE,
            Exposure.NONE,
            new ModelFiles("m", "1", "id", DIGEST))
        .withCode(code)
        .withModelIn("/home/ann/.orrery/models/" + DIGEST);
  }

  @Test
  void aProgramFindsItsFilesAtThePathsOfAPod() {
    WorkloadSpec placed = FILES.placed(spec(DIGEST));

    assertThat(placed.directory()).isEqualTo("/orrery/code");
    assertThat(placed.command()).containsExactly("serve", "/orrery/model");
    assertThat(placed.environment()).isEqualTo(Map.of("MODEL", "/orrery/model/a"));
  }

  @Test
  void aPodFetchesWhatItNeedsAndNoTokenStandsInIt() {
    ObjectNode pod = Json.MAPPER.createObjectNode();
    WorkloadSpec plain = spec(null);

    ObjectNode main = pod.putArray("containers").addObject();
    FILES.fetch(pod, main, "secret", plain);

    JsonNode init = pod.at("/initContainers/0");
    assertThat(init.at("/env").toString()).contains("model/" + DIGEST).doesNotContain("code/");
    assertThat(main.has("workingDir")).isFalse();
    assertThat(init.toString()).doesNotContain(FILES.tokens(plain).get("token-model"));
  }

  @Test
  void aPodWithoutFilesHasNoFurtherContainer() {
    ObjectNode pod = Json.MAPPER.createObjectNode();
    ObjectNode main = pod.putArray("containers").addObject();
    WorkloadSpec none =
        new WorkloadSpec(
            List.of("serve"),
            "python:3",
            null,
            Map.of(),
            List.of(),
            null,
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Resources.UNLIMITED,
            Mounts.NONE);

    FILES.fetch(pod, main, "secret", none);

    assertThat(pod.has("initContainers")).isFalse();
    assertThat(main.isEmpty()).isTrue();
    assertThat(PodCheck.of(none)).isEmpty();
    PodFiles loopback = new PodFiles("http://127.0.0.1:8080", OriginPasses.unknown(), null);
    assertThat(loopback.fault(none, "https://10.0.0.1:6443")).isNull();
    assertThat(loopback.fault(none.withCode(DIGEST), "https://10.0.0.1:6443"))
        .contains("http.advertiseUrl");
    assertThat(PodCheck.of(none.withCode(DIGEST).in("/home/ann/.orrery/bundles/x"))).isEmpty();
    assertThat(PodCheck.of(none.in("/home/ann/work"))).singleElement().asString().contains("/work");
  }

  @Test
  void aServerThatOnlyItsOwnMachineReachesIsAFaultForOtherMachines() {
    PodFiles loopback = new PodFiles("http://127.0.0.1:8080", OriginPasses.unknown(), null);

    assertThat(loopback.fault(spec(null), "https://10.0.0.1:6443")).contains("http.advertiseUrl");
    assertThat(loopback.fault(spec(null), "https://127.0.0.1:6443")).isNull();
  }

  /** The script as an image with either program runs it. */
  @ParameterizedTest
  @ValueSource(strings = {"python3", "curl"})
  void theScriptUnpacksWhatItsTokenOpens(String program) throws Exception {
    assumeTrue(has(program));
    Path served = Files.createDirectories(temp.resolve("served/d"));
    Files.writeString(served.resolve("f"), "content");
    TarView view = TarView.of(temp.resolve("served"));
    byte[] tar = view.read(0, (int) view.size());
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/pod-files/model/" + DIGEST,
        exchange -> {
          boolean right =
              "Bearer right".equals(exchange.getRequestHeaders().getFirst("Authorization"));
          exchange.sendResponseHeaders(right ? 200 : 401, right ? tar.length : -1);
          if (right) {
            exchange.getResponseBody().write(tar);
          }
          exchange.close();
        });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();

      Path into = Files.createDirectories(temp.resolve("into"));
      assertThat(run(program, url, "right", into)).isEqualTo("0 ");
      assertThat(Files.readString(into.resolve("model/d/f"))).isEqualTo("content");

      Path none = Files.createDirectories(temp.resolve("none"));
      assertThat(run(program, url, "wrong", none))
          .startsWith("1 ")
          .contains("could not fetch model/" + DIGEST, "401");
      assertThat(none.resolve("model")).doesNotExist();
    } finally {
      server.stop(0);
    }
  }

  private static boolean has(String program) {
    return Files.isExecutable(Path.of("/usr/bin", program));
  }

  private String run(String program, String url, String token, Path into) throws Exception {
    Path path = Files.createDirectories(temp.resolve("bin-" + program));
    for (String each : List.of(program, "tar", "mkdir", "rm")) {
      Path link = path.resolve(each);
      if (!Files.exists(link)) {
        Files.createSymbolicLink(
            link,
            Files.exists(Path.of("/usr/bin", each))
                ? Path.of("/usr/bin", each)
                : Path.of("/bin", each));
      }
    }
    ObjectNode pod = Json.MAPPER.createObjectNode();
    FILES.fetch(pod, Json.MAPPER.createObjectNode(), "secret", spec(null));
    String script = pod.at("/initContainers/0/command/2").asText().replace("$$(", "$(");
    Path said = temp.resolve("said");
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", "-c", script)
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH",
                path.toString(),
                "ORRERY_URL",
                url,
                "ORRERY_FILES",
                into.toString(),
                "ORRERY_MODEL",
                "model/" + DIGEST,
                "ORRERY_MODEL_TOKEN",
                token));
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue() + " " + Files.readString(said, UTF_8);
  }
}
