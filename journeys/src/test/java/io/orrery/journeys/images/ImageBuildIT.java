package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Builds images by a real buildah without privileges, and pushes them to a real registry. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ImageBuildIT extends ImageBuildJourney {
  private static final String WRONG = "heron-58-basalt";
  private static final String TOKEN = "linnet-77-gneiss";

  private void assertNowhere(String... secrets) throws Exception {
    List<String> texts = new ArrayList<>(answers);
    texts.add(server.log());
    try (Stream<Path> files =
        Stream.concat(Files.walk(home()), Files.walk(builds.resolve("public/builds")))) {
      files.filter(Files::isRegularFile).forEach(file -> texts.add(read(file)));
    }
    for (Path blob : hub.blobs()) {
      byte[] bytes = Files.readAllBytes(blob);
      boolean packed = bytes.length > 2 && bytes[0] == 0x1f && (bytes[1] & 0xff) == 0x8b;
      texts.add(
          new String(
              packed ? new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes() : bytes,
              StandardCharsets.ISO_8859_1));
    }
    for (String secret : secrets) {
      String both = DockerRegistry.USER + ":" + secret;
      String basic = Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
      assertThat(texts.stream().filter(text -> text.contains(secret) || text.contains(basic)))
          .isEmpty();
    }
  }

  @Test
  void anImageIsBuiltOnAPrivateOneWithoutPrivilegesAndNoSecretIsInIt() throws Exception {
    login(PASSWORD, 201);
    base();
    send("PUT", "/projects/public/secrets/token", "{\"value\": \"" + TOKEN + "\"}", 200);
    ObjectNode body =
        document(
            target("tool"),
            """
            ARG FROM=base
            FROM %s/team/${FROM}:1
            ARG WHO=you
            RUN --mount=type=secret,id=tok read -r t < /run/secrets/tok; echo "hi $WHO, ${#t}"
            RUN echo waiting; sleep 3; echo made > /made
            """
                .formatted(hub.host()));
    body.putObject("args").put("WHO", "ann");
    body.putObject("secrets").put("tok", "secret:token");
    send("PUT", "/builds/tool", body.toString(), 201);
    await().atMost(PATIENCE).until(() -> log("tool").contains("waiting\n"));
    List<Path> running = processes();
    assertThat(running).isNotEmpty();
    String ours = Files.readSymbolicLink(Path.of("/proc/self/ns/user")).toString();
    boolean root = "root".equals(System.getProperty("user.name"));
    for (Path process : running) {
      String status = read(process.resolve("status"));
      String commandLine = read(process.resolve("cmdline"));
      assertThat(commandLine).doesNotContain(PASSWORD, TOKEN);
      if (status.isEmpty()
          || commandLine.isEmpty()
          || (root && commandLine.contains("wrapper.sh"))) {
        // It has ended meanwhile; or the wrapper notes the end, and runs nothing of the build.
        continue;
      }
      boolean outside = Files.readSymbolicLink(process.resolve("ns/user")).toString().equals(ours);
      assertThat(status).doesNotContainPattern("Uid:\\s+0\\s");
      if (outside) {
        assertThat(status).as(commandLine).containsPattern("CapEff:\\s+0000000000000000");
      }
    }

    JsonNode state = state("tool", "SUCCEEDED", "FAILED");

    assertThat(state.path("status").asText()).as(state + log("tool")).isEqualTo("SUCCEEDED");
    assertThat(state.path("digest").asText()).isEqualTo(hub.digest("team/tool", "1"));
    assertThat(state.path("bytes").asLong()).isPositive();
    assertThat(log("tool")).contains("hi ann, " + TOKEN.length());
    assertNowhere(PASSWORD, TOKEN);
    assertThat(processes()).isEmpty();

    // The same again takes the layers that are there.
    send("POST", "/builds/tool/start", "", 200);
    assertThat(state("tool", "SUCCEEDED").path("number").asInt()).isEqualTo(2);
    assertThat(log("tool")).contains("Using cache");
  }

  @Test
  void aWrongPasswordIsAReasonAndNowhere() throws Exception {
    login(WRONG, 201);
    send(
        "PUT",
        "/builds/tool",
        document(target("tool"), "FROM scratch\nLABEL a=b\n").toString(),
        201);

    JsonNode state = state("tool", "SUCCEEDED", "FAILED");

    assertThat(state.path("status").asText()).isEqualTo("FAILED");
    assertThat(state.path("reason").asText()).contains("the push ended", "authentication required");
    assertNowhere(WRONG);
    login(PASSWORD, 200);
    assertThat(server.post("/builds/tool/start", "").at("/state/number").asInt()).isEqualTo(2);
    assertThat(state("tool", "SUCCEEDED", "FAILED").path("digest").asText())
        .isEqualTo(hub.digest("team/tool", "1"));
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aBuildGoesOnWithoutItsServerIsRepeatedWhenItWasKilledAndCanBeCanceled() throws Exception {
    login(PASSWORD, 201);
    base();
    String slow = "FROM %s\nRUN echo waiting; sleep %d; echo %s > /made\n";
    send(
        "PUT",
        "/builds/slow",
        document(target("slow"), slow.formatted(target("base"), 4, "one")).toString(),
        201);
    await().atMost(PATIENCE).until(() -> log("slow").contains("waiting\n"));

    server.kill();
    assertThat(processes()).isNotEmpty();
    begin();
    JsonNode state = state("slow", "SUCCEEDED", "FAILED");
    assertThat(state.path("status").asText()).as(state + log("slow")).isEqualTo("SUCCEEDED");
    assertThat(state.path("digest").asText()).isEqualTo(hub.digest("team/slow", "1"));
    assertThat(log("slow").split("waiting\n", -1)).hasSize(2);

    send(
        "PUT",
        "/builds/slow",
        document(target("slow2"), slow.formatted(target("base"), 5, "two")).toString(),
        200);
    await().atMost(PATIENCE).until(() -> log("slow").contains("waiting\n"));
    server.kill();
    for (Path process : processes()) {
      run("sh", "-c", "kill -9 %s || true".formatted(process.getFileName()));
    }
    assertThat(hub.digest("team/slow2", "1")).isEmpty();
    begin();
    assertThat(state("slow", "SUCCEEDED", "FAILED").path("status").asText()).isEqualTo("SUCCEEDED");
    assertThat(hub.digest("team/slow2", "1")).isNotEmpty();

    send(
        "PUT",
        "/builds/slow",
        document(target("slow3"), slow.formatted(target("base"), 600, "three")).toString(),
        200);
    await().atMost(PATIENCE).until(() -> log("slow").contains("waiting\n"));
    send("POST", "/builds/slow/cancel", "", 200);
    state("slow", "CANCELED");
    assertThat(processes()).isEmpty();
    assertThat(hub.digest("team/slow3", "1")).isEmpty();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void documentsAndTheCommandLineDoTheSame() throws Exception {
    login(PASSWORD, 201);
    Path folder = Files.createDirectories(temp.resolve("tool"));
    Files.writeString(folder.resolve("Containerfile"), "FROM scratch\nCOPY hello /hello\n");
    Files.writeString(folder.resolve("hello"), "hello");
    Path file =
        Files.writeString(
            temp.resolve("build.yml"),
            "kind: ImageBuild\nname: tool\ntarget: %s\ncontext: ./tool\n"
                .formatted(target("tool")));

    assertThat(orrery("apply", "-f", file.toString()).out()).contains("created ImageBuild/tool");
    state("tool", "SUCCEEDED");
    assertThat(orrery("apply", "-f", file.toString()).out()).contains("unchanged ImageBuild/tool");
    assertThat(orrery("build", "list").out())
        .contains("tool", "SUCCEEDED", hub.digest("team/tool", "1"));
    assertThat(orrery("build", "logs", "tool").out()).contains("COPY hello /hello");
    Ended again = orrery("build", "start", "tool", "--follow");
    assertThat(again.out()).as(again.err()).contains("tool SUCCEEDED sha256:");
    assertThat(again.code()).isZero();
    assertThat(orrery("get", "builds").out()).contains("tool");
    assertThat(orrery("build", "cancel", "tool").out()).contains("SUCCEEDED");
    Path starts = builds.resolve("public/builds");
    assertThat(starts).isNotEmptyDirectory();
    assertThat(orrery("delete", "imagebuild", "tool").code()).isZero();
    assertThat(server.get("/builds").path("items")).isEmpty();
    await().untilAsserted(() -> assertThat(starts).isEmptyDirectory());
  }

  @Test
  void whatIsWrongIsRefusedBeforeAnythingIsStored() throws Exception {
    for (Map.Entry<String, String> wrong :
        Map.of(
                "{\"target\": \"hub.example.com/t@sha256:0\", \"dockerfile\": \"FROM scratch\"}",
                "the target is a name",
                "{\"target\": \"hub.example.com/t:1\"}",
                "dockerfile, requirements, context or snapshotOf is needed",
                "{\"target\": \"hub.example.com/t:1\", \"context\": {\"workspace\": \"/mnt/o/../x\"}}",
                "a directory of your workspace",
                "{\"target\": \"hub.example.com/t:1\", \"context\": {\"workspace\": \"/mnt/zoe/x\"}}",
                "not in your workspace",
                "{\"target\": \"hub.example.com/t:1\", \"dockerfile\": \"FROM a\", \"secrets\":"
                    + " {\"t\": \"plain\"}}",
                "secret:NAME")
            .entrySet()) {
      assertThat(send("PUT", "/builds/bad", wrong.getKey(), 400).toString())
          .contains(wrong.getValue());
    }
    assertThat(server.get("/builds").path("items")).isEmpty();
  }
}
