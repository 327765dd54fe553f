package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Applies, shows and deletes models, domains and experiments by documents. */
class AppliedKindsIT extends ServiceJourney {
  private static final String HOST = "digits.service.orrery.localhost";
  private static final String DOCUMENTS =
      """
      kind: Domain
      name: %1$s
      backends:
        - {service: serving-digits-1, percent: 100}
      ---
      kind: Service
      name: serving-digits-1
      type: serving
      model: {name: digits, version: v1}
      command: python3 -m http.server $PORT
      host: %1$s
      ports: [8080]
      ---
      kind: Model
      name: digits
      description: Reads digits
      aliases: {production: v1}
      versions:
        - {version: v1, path: %2$s, metrics: {accuracy: 0.98}}
      ---
      kind: Experiment
      name: search-1
      trialCommand: echo hello
      trialConcurrency: 2
      maxTrialNumber: 2
      searchSpace: {a: {_type: uniform, _value: [0, 1]}}
      tuner: {name: Random}
      trainingService: {platform: local}
      """;

  private Path written(String from, String to) throws IOException {
    Path model = Files.createDirectories(temp.resolve("model"));
    Files.writeString(model.resolve("weights"), "1 2 3");
    String text = DOCUMENTS.formatted(HOST, model);
    assertThat(text).contains(from);
    return Files.writeString(temp.resolve("all.yml"), text.replace(from, to));
  }

  private Ended apply(String from, String to, String... options) throws Exception {
    Path file = written(from, to);
    String[] words = new String[options.length + 3];
    System.arraycopy(new String[] {"apply", "-f", file.toString()}, 0, words, 0, 3);
    System.arraycopy(options, 0, words, 3, options.length);
    return orrery(words);
  }

  private Ended made() throws Exception {
    Ended made = apply("hello", "hello");
    assertThat(made.code()).as(made.err()).isZero();
    return made;
  }

  @Test
  void everyKindIsAppliedInTheOrderOfItsNeedsAndOnlyOnce() throws Exception {
    Ended checked = apply("hello", "hello", "--dry-run");
    assertThat(checked.code()).as(checked.err()).isZero();
    assertThat(checked.out())
        .isEqualTo(
            """
            created Model/digits
            created Service/serving-digits-1
            created Domain/%s
            created Experiment/search-1
            """
                .formatted(HOST));
    assertThat(server.get("/models").get("items")).isEmpty();
    assertThat(server.get("/experiments").get("items")).isEmpty();

    assertThat(made().out()).contains("created Model/digits", "created Experiment/search-1");
    assertThat(server.get("/models/digits").at("/aliases/production").asText()).isEqualTo("v1");
    assertThat(apply("hello", "hello").out().lines())
        .hasSize(4)
        .allMatch(line -> line.startsWith("unchanged "));

    assertThat(apply("0.98", "0.99").out()).contains("changed Model/digits");
    assertThat(server.get("/models/digits/versions/v1").at("/metrics/accuracy").asDouble())
        .isEqualTo(0.99);
    assertThat(apply("maxTrialNumber: 2", "maxTrialNumber: 3").out())
        .contains("changed Experiment/search-1");
    assertThat(server.get("/experiments/search-1").get("maxTrialNumber").asInt()).isEqualTo(3);
  }

  @Test
  void whatCannotChangeIsRefusedWithItsPlaceAndNothingIsChanged() throws Exception {
    made();

    Ended refused = apply("echo hello", "echo other");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .contains("all.yml:23: /trialCommand: trialCommand of an experiment that is there stays")
        .doesNotContain("/trainingService");
    Ended shares = apply("percent: 100", "percent: 90");
    assertThat(shares.code()).isEqualTo(2);
    assertThat(shares.err()).contains("all.yml:3: /backends: ").contains("100 together");
    Ended key = apply("backends:", "backend:");
    assertThat(key.err()).contains("/backend: 'backend' is not a known key");
    Ended moved = apply("path: ", "path: /other");
    assertThat(moved.err()).contains("/versions/0/path: version v1 has the path");
    assertThat(server.get("/models/digits/versions/v1").get("path").asText())
        .doesNotContain("other");
  }

  @Test
  void everyKindIsDescribedAndDeleted() throws Exception {
    made();
    await()
        .atMost(PATIENCE)
        .until(() -> server.get("/experiments/search-1").get("status").asText().equals("DONE"));

    assertThat(orrery("describe", "domain", HOST).out()).startsWith(HOST + "  IDLE  owner");
    assertThat(orrery("describe", "model", "digits").out()).contains("versions:\n  - model:");
    assertThat(orrery("describe", "experiment", "search-1").out()).startsWith("search-1  DONE");
    assertThat(orrery("get", "ImageBuild").code()).isZero();
    assertThat(orrery("get", "domains", "-o", "yaml").out())
        .contains("backends:\n  - service: \"serving-digits-1\"\n    percent: 100\n");
    assertThat(orrery("delete", "domain", HOST).err()).contains("goes with its services");
    assertThat(orrery("delete", "experiment", "search-1").out())
        .isEqualTo("deleted Experiment/search-1\n");
    assertThat(orrery("delete", "model", "digits").err()).contains("serving-digits-1");
    assertThat(orrery("delete", "service", "serving-digits-1").code()).isZero();
    await().atMost(PATIENCE).until(() -> orrery("delete", "model", "digits").code() == 0);
  }

  @Test
  void aPruneLeavesModelsAndExperiments() throws Exception {
    made();
    Path other =
        Files.writeString(
            temp.resolve("other.yml"),
            """
            kind: Model
            name: letters
            ---
            kind: Service
            name: other
            command: python3 -m http.server $PORT
            """);

    assertThat(orrery("apply", "-f", other.toString(), "--prune").out())
        .contains("deleted Service/serving-digits-1")
        .doesNotContain("deleted Model");
    assertThat(server.get("/models/digits").get("name").asText()).isEqualTo("digits");
  }

  @Test
  void listsAreFilteredAndAnActionIsNotDoneByACheck() throws Exception {
    made();
    await()
        .atMost(PATIENCE)
        .until(() -> server.get("/services?status=READY").get("items").size() == 1);
    assertThat(server.get("/services?status=FAILED").get("items")).isEmpty();
    await()
        .atMost(PATIENCE)
        .until(() -> server.get("/experiments?status=DONE&q=SEARCH").get("items").size() == 1);
    assertThat(server.get("/experiments?status=RUNNING").get("items")).isEmpty();
    assertThat(server.get("/experiments?q=other").get("items")).isEmpty();
    assertThat(server.get("/workloads?q=digits&project=public").get("items")).hasSize(1);
    assertThat(server.get("/workloads?owner=stranger").get("items")).isEmpty();
    assertThat(server.get("/domains?q=digits&status=IDLE").get("items")).hasSize(1);
    assertThat(server.get("/domains?project=other").get("items")).isEmpty();
    assertThat(server.send("GET", "/services?status=REDY", BodyPublishers.noBody()).body())
        .contains("did you mean 'READY'");

    String generation = server.get("/workloads").at("/items/0/generation").asText();
    HttpResponse<String> checked =
        server.send(
            "POST", "/services/serving-digits-1/restart?dryRun=true", BodyPublishers.noBody());
    assertThat(checked.statusCode()).as(checked.body()).isEqualTo(200);
    assertThat(checked.body()).contains("serving-digits-1");
    assertThat(
            server
                .send("POST", "/services/other/clear?dryRun=true", BodyPublishers.noBody())
                .statusCode())
        .isEqualTo(404);
    assertThat(server.get("/workloads").at("/items/0/generation").asText()).isEqualTo(generation);
    HttpResponse<String> refused =
        server.send("POST", "/experiments/convert?dryRun=true", BodyPublishers.noBody());
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("nothing was done");
    assertThat(
            server
                .send("DELETE", "/services/serving-digits-1?dryRun", BodyPublishers.noBody())
                .statusCode())
        .isEqualTo(400);
    assertThat(server.get("/services").get("items")).hasSize(1);
  }
}
