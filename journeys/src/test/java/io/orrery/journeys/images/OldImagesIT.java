package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Removes images of builds of a real buildah from a real registry, and one that refuses. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class OldImagesIT extends ImageBuildJourney {
  private JsonNode rule() throws Exception {
    for (JsonNode rule : server.get("/retention").path("items")) {
      if (rule.path("kind").asText().equals("images")) {
        return rule;
      }
    }
    throw new AssertionError("there is no rule of images");
  }

  private JsonNode pass() throws Exception {
    String before = rule().at("/last/at").asText();
    send("POST", "/retention/run", "{}", 202);
    await().atMost(PATIENCE).until(() -> !rule().at("/last/at").asText().equals(before));
    return rule().path("last");
  }

  /** Builds an image that differs by its label; its digest. */
  private String build(String name, String tag, String label) throws Exception {
    String text = "FROM scratch\nLABEL of=\"%s\"\n".formatted(label);
    ObjectNode body = document(hub.host() + "/team/tool:" + tag, text);
    boolean known =
        server.get("/builds").path("items").findValuesAsText("name").stream()
            .anyMatch(name::equals);
    send("PUT", "/builds/" + name, body.toString(), known ? 200 : 201);
    JsonNode state = state(name, "SUCCEEDED", "FAILED");
    assertThat(state.path("status").asText()).as(state + log(name)).isEqualTo("SUCCEEDED");
    return state.path("digest").asText();
  }

  /** All pushes are as old as if they had been some weeks ago. */
  private void age() throws Exception {
    server.close();
    try (Connection database =
            DriverManager.getConnection("jdbc:sqlite:" + home().resolve("orrery.db"));
        PreparedStatement older =
            // In the order of the pushes: the last one of a tag is the one that has it.
            database.prepareStatement("update pushed_images set pushed_at = pushed_at - ?")) {
      older.setLong(1, Duration.ofDays(30).toMillis());
      assertThat(older.executeUpdate()).isPositive();
    }
    // The server takes a database that it did not close for another's, unless this is gone.
    Files.delete(home().resolve("orrery.db.mark"));
    begin();
  }

  private List<String> preview() throws Exception {
    List<String> found = new ArrayList<>();
    server
        .get("/retention/preview?kind=images&keepDays=5")
        .path("items")
        .forEach(
            item -> found.add(item.path("name").asText() + " " + item.path("usedBy").asText("-")));
    return found;
  }

  private String image(String digest) {
    return hub.host() + "/team/tool@" + digest;
  }

  @Test
  void imagesThatNothingNamesGoFromTheRegistryAndAllOthersStay() throws Exception {
    login(PASSWORD, 201);
    send("PUT", "/retention/images", "{\"keepDays\": 5}", 200);
    String replaced = build("tool", "1", "one");
    String ofCatalogue = build("tool", "1", "two");
    ObjectNode known = Json.MAPPER.createObjectNode().put("name", image(ofCatalogue));
    send("POST", "/images", known.toString(), 201);
    String ofTemplate = build("tool", "1", "three");
    String byHand = build("tool", "1", "four");
    String present = build("tool", "1", "five");
    String deleted = build("gone", "2", "six");
    send("DELETE", "/builds/gone", "", 204);
    hub.tag("team/tool", byHand, "stable");
    ObjectNode template =
        Json.MAPPER.createObjectNode().put("image", image(ofTemplate)).put("command", "true");
    send("PUT", "/templates/train", template.toString(), 201);
    assertThat(pass().path("removed").asInt()).as("pushed a moment ago").isZero();
    age();

    assertThat(preview())
        .contains(image(replaced) + " -", image(deleted) + " -", image(present) + " build tool")
        .hasSize(6);
    JsonNode last = pass();

    assertThat(last.path("failure").isNull()).as("%s", last).isTrue();
    assertThat(last.path("removed").asInt()).isEqualTo(2);
    assertThat(last.path("kept").asInt()).isEqualTo(4);
    for (String digest : List.of(ofCatalogue, ofTemplate, byHand, present)) {
      assertThat(hub.digest("team/tool", digest)).isEqualTo(digest);
    }
    for (String digest : List.of(replaced, deleted)) {
      assertThat(hub.digest("team/tool", digest)).isEmpty();
    }
    assertThat(hub.digest("team/tool", "1")).isEqualTo(present);
    assertThat(hub.digest("team/tool", "2")).isEmpty();
    assertThat(server.get("/audit?kind=images").toString())
        .contains(replaced, deleted)
        .doesNotContain(present, PASSWORD);
    assertThat(orrery("retention", "list").out()).contains("images");
  }

  @Test
  void aRegistryThatDeletesNothingSaysSoAndKeepsAll() throws Exception {
    hub.close();
    hub = DockerRegistry.keepingAll(shared.resolve("keeping"), PASSWORD);
    login(PASSWORD, 201);
    send("PUT", "/retention/images", "{\"keepDays\": 5}", 200);
    String replaced = build("tool", "1", "one");
    build("tool", "1", "two");
    age();

    JsonNode last = pass();

    assertThat(last.path("removed").asInt()).isZero();
    assertThat(last.path("failure").asText())
        .contains(image(replaced), "does not let images be deleted (status 405)", "delete.enabled");
    assertThat(hub.digest("team/tool", replaced)).isEqualTo(replaced);
    assertThat(orrery("retention", "list").out()).contains("does not let images be deleted");
  }
}
