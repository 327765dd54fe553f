package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills a build with its server in the middle of its push to a real registry. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class InterruptedPushIT extends ImageBuildJourney {
  private static final String REPOSITORY = "team/kept";

  /** While a layer is sent, and when all are there but the manifest is not. */
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @ParameterizedTest
  @ValueSource(strings = {"PATCH /v2/team/kept/", "PUT /v2/team/kept/manifests/"})
  void aTagAlwaysNamesAWholeImage(String request) throws Exception {
    login(PASSWORD, 201);
    base();
    String before = hub.push(REPOSITORY, "1", "what was there");
    try (HeldConnections way =
        new HeldConnections(Integer.parseInt(hub.host().split(":")[1]), request)) {
      ObjectNode login = Json.MAPPER.createObjectNode();
      login.put("server", way.host()).put("user", DockerRegistry.USER).put("password", PASSWORD);
      send("PUT", "/registries/held", login.toString(), 201);
      String file = "FROM %s\nRUN echo new > /made\n".formatted(target("base"));
      send("PUT", "/builds/kept", document(way.host() + "/team/kept:1", file).toString(), 201);
      assertThat(way.held().await(3 * PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .as(log("kept"))
          .isTrue();
      assertThat(hub.digest(REPOSITORY, "1")).isEqualTo(before);

      server.kill();
      for (Path process : processes()) {
        run("sh", "-c", "kill -9 %s || true".formatted(process.getFileName()));
      }

      assertThat(hub.digest(REPOSITORY, "1")).isEqualTo(before);
      assertThat(hub.missing(REPOSITORY, "1")).isEmpty();

      way.release();
      begin();
      JsonNode state = state("kept", "SUCCEEDED", "FAILED");
      assertThat(state.path("status").asText()).as(state + log("kept")).isEqualTo("SUCCEEDED");
      assertThat(hub.digest(REPOSITORY, "1"))
          .isEqualTo(state.path("digest").asText())
          .isNotEqualTo(before);
      assertThat(hub.missing(REPOSITORY, "1")).isEmpty();
    }
  }
}
