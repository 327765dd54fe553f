package io.orrery.compute.openpai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.batch.JobApi.Order;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.Keepers;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares what OpenPAI shows of a job to its other users with what the job gets. */
class JobDocumentIT {
  private static final String HOSTILE =
      "it's <% $secrets.x %> \"$(id)\" `id` \\\u2028 \u00e9\nend\n";

  @TempDir Path directory;

  private static JobDocument document(ObjectNode own) {
    return new JobDocument(
        new OpenPaiSettings(
            new OpenPaiSettings.Account("http://pai", StandInOpenPai.USER, null, null),
            null,
            null,
            own,
            null,
            "python:3",
            1,
            512,
            0,
            "not used",
            null),
        (stored, name) -> stored);
  }

  private static Order order(JobDocument document, Set<String> hidden) {
    Keepers.Launch launch =
        new Keepers.Launch(
            List.of("sh", "-c", "printf %s \"$KEY\""),
            Map.of("KEY", HOSTILE, "ORRERY_URL", "http://server"),
            "token-of-the-attempt");
    return new Order(
        new AttemptRef(new TrialRef(new ExperimentId("e"), new TrialId("t")), 1),
        "j",
        Map.of(document.parts().getFirst().name(), launch),
        hidden);
  }

  @Test
  void hiddenVariablesAndTheTokenAreNotShownAndReachTheProgramAsTheyAre() throws Exception {
    JobDocument document = document(null);
    String yaml = JobDocument.yaml(document.of(order(document, Set.of("KEY"))));

    try (StandInOpenPai pai = new StandInOpenPai(directory);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(pai.url() + "/rest-server/api/v2/jobs"))
                  .header("Authorization", "Bearer " + StandInOpenPai.TOKEN)
                  .header("Content-Type", "text/yaml")
                  .POST(BodyPublishers.ofString(yaml))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
      Eventually.until("the job has printed", () -> !pai.log("j").isEmpty() && !pai.runs("j"));

      assertThat(pai.log("j")).isEqualTo(HOSTILE);
      assertThat(pai.shown("j"))
          .contains("\nsecrets: \"******\"", "<% $secrets.orrery_variables %>")
          .doesNotContain("token-of-the-attempt", "$(id)");
    }
  }

  @Test
  void aDocumentOfOnesOwnKeepsItsTextsAndHidesItsSecrets() {
    ObjectNode own =
        (ObjectNode)
            Json.parse(
                """
                {"secrets": {"password": "sesame"}, "odd key: 1": null,
                 "taskRoles": {"r": {"commands": ["true"]}}}
                """);
    own.putObject("parameters").put("text", HOSTILE);
    JobDocument document = document(own);
    ObjectNode job = document.of(order(document, Set.of()));

    String yaml = JobDocument.yaml(job);

    assertThat(Document.read(yaml).root()).isEqualTo(job);
    assertThat(StandInOpenPai.masked(yaml)).doesNotContain("sesame", "token-of-the-attempt");
  }
}
