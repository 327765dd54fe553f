package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Removes the images and layers that builds of a real buildah have left on the machine. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class OldLayersIT extends ImageBuildJourney {
  private JsonNode rule() throws Exception {
    for (JsonNode rule : server.get("/retention").path("items")) {
      if (rule.path("kind").asText().equals("layers")) {
        return rule;
      }
    }
    throw new AssertionError("there is no rule of layers");
  }

  private JsonNode pass() throws Exception {
    String before = rule().at("/last/at").asText();
    send("POST", "/retention/run", "{}", 202);
    await().atMost(PATIENCE).until(() -> !rule().at("/last/at").asText().equals(before));
    return rule().path("last");
  }

  @Test
  void whatBuildsLeaveIsRemovedWhenItIsOldAndTheNextBuildBeginsAnew() throws Exception {
    login(PASSWORD, 201);
    base();
    Path layers = builds.resolve("public/layers");
    assertThat(layers).isNotEmptyDirectory();
    send("PUT", "/retention/layers", "{\"keepDays\": 5}", 200);
    assertThat(pass().path("removed").asInt()).as("built a moment ago").isZero();
    assertThat(layers).exists();

    run(
        "find",
        layers.toString(),
        "-maxdepth",
        "1",
        "-exec",
        "touch",
        "-d",
        "20 days ago",
        "{}",
        "+");
    assertThat(pass().path("removed").asInt()).as("its build ended a moment ago").isZero();
    send("DELETE", "/builds/base", "", 204);
    assertThat(server.get("/retention/preview?kind=layers&keepDays=5").at("/items/0/name").asText())
        .isEqualTo("public");

    JsonNode last = pass();
    assertThat(last.path("failure").isNull()).as("%s", last).isTrue();
    assertThat(last.path("removed").asInt()).isEqualTo(1);
    assertThat(layers).doesNotExist();
    assertThat(builds.resolve("public/layers.old")).doesNotExist();
    assertThat(builds.resolve("public/run.old")).doesNotExist();

    String file = "FROM %s\nRUN echo new > /made\n".formatted(target("base"));
    send("PUT", "/builds/again", document(target("again"), file).toString(), 201);
    JsonNode state = state("again", "SUCCEEDED", "FAILED");
    assertThat(state.path("status").asText()).as(state + log("again")).isEqualTo("SUCCEEDED");
  }
}
