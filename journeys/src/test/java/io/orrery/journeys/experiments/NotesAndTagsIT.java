package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Notes and tags of experiments and trials over the API (G3). */
@Timeout(180)
class NotesAndTagsIT {
  @TempDir Path temp;
  private Path home;
  private ServerProcess server;

  @BeforeEach
  void start() throws Exception {
    home = temp.resolve("home");
    server = ServerProcess.start(home);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String experiment(String name) throws Exception {
    Files.writeString(temp.resolve("trial.sh"), "echo \"orrery: final $ORRERY_PARAM_X\"\n");
    String id =
        server
            .post(
                "/experiments",
                """
                experimentName: %s
                trialCommand: bash trial.sh
                trialCodeDirectory: %s
                trialConcurrency: 2
                searchSpace: {x: {_type: choice, _value: [1, 2, 3]}}
                tuner: {name: GridSearch}
                trainingService: {platform: local}
                """
                    .formatted(name, temp.toAbsolutePath()))
            .get("id")
            .textValue();
    server.awaitStatus(id, Duration.ofSeconds(60), "DONE");
    return id;
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(item -> texts.add(item.textValue()));
    return texts;
  }

  private List<String> trials(String id, String where) throws Exception {
    List<String> found = new ArrayList<>();
    server
        .get("/experiments/" + id + "/trials?where=" + where)
        .get("items")
        .forEach(trial -> found.add(trial.get("id").textValue()));
    return found;
  }

  @Test
  void aNoteAndTagsThatWereAnsweredSurviveAKill() throws Exception {
    String id = experiment("annotated");
    String trial = server.trials(id).getFirst().get("id").textValue();
    JsonNode before = server.get("/experiments/" + id + "/annotation");
    assertThat(before.get("note").textValue()).isEmpty();
    assertThat(before.get("changedAt").isNull()).isTrue();

    server.patch(
        "/experiments/" + id + "/annotation",
        "{\"note\": \"with the new loader\\nand warm-up\", \"tags\": [\"keep\", \" baseline \","
            + " \"keep\"]}");
    server.patch(
        "/experiments/" + id + "/trials/" + trial + "/annotation", "{\"tags\": [\"odd\"]}");
    server.patch(
        "/experiments/" + id + "/trials/" + trial + "/annotation",
        "{\"note\": \"look at its loss\"}");
    server.kill();
    server.close();
    server = ServerProcess.start(home);

    JsonNode kept = server.get("/experiments/" + id + "/annotation");
    assertThat(kept.get("note").textValue()).isEqualTo("with the new loader\nand warm-up");
    assertThat(texts(kept.get("tags"))).containsExactly("baseline", "keep");
    assertThat(texts(server.get("/experiments/" + id).get("tags")))
        .containsExactly("baseline", "keep");
    assertThat(texts(server.get("/experiments").at("/items/0/tags")))
        .containsExactly("baseline", "keep");
    JsonNode ofTrial = server.get("/experiments/" + id + "/trials/" + trial + "/annotation");
    assertThat(ofTrial.get("note").textValue())
        .as("a change of one leaves the other")
        .isEqualTo("look at its loss");
    assertThat(texts(ofTrial.get("tags"))).containsExactly("odd");
  }

  @Test
  void aTagNarrowsAndOrdersTheListOfTrials() throws Exception {
    String id = experiment("narrowed");
    List<String> all =
        server.trials(id).stream().map(trial -> trial.get("id").textValue()).toList();
    String tags = "/experiments/" + id + "/trials/%s/annotation";
    server.patch(tags.formatted(all.get(2)), "{\"tags\": [\"a\", \"odd\"]}");
    server.patch(tags.formatted(all.get(1)), "{\"tags\": [\"b\"]}");

    assertThat(trials(id, "tag=odd")).containsExactly(all.get(2));
    assertThat(trials(id, "tag!=odd")).containsExactly(all.get(0), all.get(1));
    assertThat(trials(id, "tag=%5B%22odd%22%2C%22b%22%5D")).containsExactly(all.get(1), all.get(2));
    JsonNode ordered = server.get("/experiments/" + id + "/trials?sort=tag").get("items");
    assertThat(ordered.at("/0/id").textValue()).isEqualTo(all.get(2));
    assertThat(texts(ordered.at("/0/tags"))).containsExactly("a", "odd");
    assertThat(ordered.at("/2/tags").isEmpty()).isTrue();
  }

  @Test
  void whatIsNoNoteOrTagIsRefusedAndChangesNothing() throws Exception {
    String id = experiment("strict");
    String path = "/experiments/" + id + "/annotation";
    server.patch(path, "{\"note\": \"as it was\", \"tags\": [\"kept\"]}");
    String many = "\"t0\"";
    for (int i = 1; i <= 20; i++) {
      many += ",\"t" + i + "\"";
    }
    for (String wrong :
        List.of(
            "[]",
            "{\"note\": 3}",
            "{\"note\": null}",
            "{\"note\": \"" + "n".repeat(20_001) + "\"}",
            "{\"tags\": \"kept\"}",
            "{\"tags\": [1]}",
            "{\"tags\": [\"  \"]}",
            "{\"tags\": [\"two\\nlines\"]}",
            "{\"tags\": [\"" + "t".repeat(41) + "\"]}",
            "{\"tags\": [" + many + "]}",
            "{\"note\": \"other\", \"labels\": []}")) {
      HttpResponse<String> answer = server.send("PATCH", path, BodyPublishers.ofString(wrong));
      assertThat(answer.statusCode()).as(wrong).isEqualTo(400);
    }

    JsonNode kept = server.get(path);
    assertThat(kept.get("note").textValue()).isEqualTo("as it was");
    assertThat(texts(kept.get("tags"))).containsExactly("kept");
  }

  @Test
  void theyGoWithTheirExperimentAndAreNotForWhatIsNotThere() throws Exception {
    String id = experiment("gone");
    server.patch("/experiments/" + id + "/annotation", "{\"note\": \"n\", \"tags\": [\"t\"]}");

    HttpResponse<String> noTrial =
        server.send(
            "PATCH",
            "/experiments/" + id + "/trials/nosuch/annotation",
            BodyPublishers.ofString("{\"note\": \"n\"}"));
    assertThat(noTrial.statusCode()).isEqualTo(404);
    server.send("DELETE", "/experiments/" + id, BodyPublishers.noBody());

    HttpResponse<String> gone =
        server.send("GET", "/experiments/" + id + "/annotation", BodyPublishers.noBody());
    assertThat(gone.statusCode()).isEqualTo(404);
  }
}
