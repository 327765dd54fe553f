package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.FilePayload;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Registers versions of models on the page: of files, of a trial, of a step's output, of a path.
 */
@Timeout(180)
class RegistrationPageIT extends OwnServer {
  /** A name that has no room in the head of an entry of an archive. */
  private static final String LONG = "long".repeat(40);

  private static Locator field(Visit visit, String key) {
    return visit.at("form [name=" + key + "]");
  }

  @Test
  void filesAreUploadedAndBecomeAVersionWithAnAlias() throws Exception {
    try (Visit visit = visit("/models")) {
      visit.link("Register a version").click();
      field(visit, "model").fill("digits");
      field(visit, "aliases").fill("production");
      visit.button("Files").click();
      visit.button("Register").click();
      assertThat(visit.at(".findings")).containsText("Choose files or a folder.");
      visit
          .page()
          .getByLabel("Choose files")
          .setInputFiles(
              new FilePayload[] {
                new FilePayload("weights.bin", "", new byte[100_000]),
                new FilePayload("about.txt", "", "reads digits".getBytes(StandardCharsets.UTF_8))
              });
      visit.button("Check").click();
      assertThat(visit.at(".verdict .pill")).hasText("Valid");
      assertThat(send("GET", "/models/digits", "").statusCode()).isEqualTo(404);
      visit.button("Register").click();
      assertThat(visit.at("h1")).hasText("digits");
      visit.at("tr[data-version='1'] button.name").click();
      assertThat(visit.at("table.files")).containsText("weights.bin");
    }
    assertThat(server.get("/models/digits").at("/aliases/production").textValue()).isEqualTo("1");
    assertThat(send("GET", "/models/digits/versions/1/file?path=about.txt", "").body())
        .isEqualTo("reads digits");
  }

  @Test
  void theBestTrialOfAnExperimentBecomesAVersion() throws Exception {
    Path code = Files.createDirectories(home.resolve("code")).toAbsolutePath();
    Files.writeString(
        code.resolve("trial.sh"),
        "echo $ORRERY_PARAM_X > $NNI_OUTPUT_DIR/model.txt; echo \"orrery: final $ORRERY_PARAM_X\"\n");
    String id =
        server
            .post(
                "/experiments",
                """
                experimentName: kept
                trialCommand: bash trial.sh
                trialCodeDirectory: %s
                trialConcurrency: 1
                searchSpace: {x: {_type: choice, _value: [1, 2]}}
                tuner: {name: GridSearch, classArgs: {optimize_mode: maximize}}
                trainingService: {platform: local}
                """
                    .formatted(code))
            .get("id")
            .textValue();
    server.awaitStatus(id, Duration.ofSeconds(60), "DONE");
    try (Visit visit = visit("/registration?model=best&experiment=" + id)) {
      assertThat(field(visit, "experiment")).hasValue(id);
      visit.button("Register").click();
      assertThat(visit.at("h1")).hasText("best");
      assertThat(visit.at("tr[data-version='1']")).containsText("experiment " + id);
    }
    assertThat(send("GET", "/models/best/versions/1/file?path=model.txt", "").body())
        .isEqualTo("2\n");
  }

  @Test
  void anOutputOfAStepBecomesAVersionAndARefusalIsShown() throws Exception {
    put(
        "/pipelines/trains",
        "{\"tasks\": [{\"name\": \"train\", \"command\": \"cd $ORRERY_OUTPUTS; mkdir -p m/sub; echo 7 > m/sub/w.txt; echo 8 > m/"
            + LONG
            + ".txt\","
            + " \"outputs\": {\"model\": {\"path\": \"m\"}}}]}");
    String run = server.post("/pipelines/trains/run", "{}").get("id").textValue();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> server.get("/runs/" + run).path("endedAt").isTextual());
    assertThat(server.get("/runs/" + run).at("/steps/0/outputs/model/kind").asText())
        .as(server.get("/runs/" + run).toPrettyString())
        .isEqualTo("directory");
    try (Visit visit = visit("/registration?model=stepped&run=" + run)) {
      assertThat(field(visit, "output")).hasValue("train/model");
      field(visit, "aliases").fill("!!");
      visit.button("Check").click();
      assertThat(visit.at(".findings")).containsText("/aliases");
      field(visit, "aliases").fill("");
      visit.button("Register").click();
      assertThat(visit.at("h1")).hasText("stepped");
      assertThat(visit.at("tr[data-version='1']")).containsText("run " + run);
    }
    assertThat(send("GET", "/models/stepped/versions/1/file?path=sub/w.txt", "").body())
        .isEqualTo("7\n");
    assertThat(send("GET", "/models/stepped/versions/1/file?path=" + LONG + ".txt", "").body())
        .isEqualTo("8\n");
  }

  @Test
  void digestsAndPartsOfAnArchiveAreFound() {
    try (Visit visit = visit("/")) {
      Pure digest = visit.pure("kit/sha256.js");
      digest.gives(
          "new Sha256().hex()", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
      digest.gives(
          "new Sha256().update(new TextEncoder().encode('abc')).hex()",
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
      // Every length around the borders of blocks, in two pieces, as the browser's own digest has
      // it.
      digest.gives(
          "await (async () => { for (let n = 0; n < 300; n++) { const all = new Uint8Array(n).map((_, i) => i * 7 + n);"
              + " const own = [...new Uint8Array(await crypto.subtle.digest('SHA-256', all))].map(b => b.toString(16).padStart(2, '0')).join('');"
              + " if (new Sha256().update(all.subarray(0, n >> 1)).update(all.subarray(n >> 1)).hex() !== own) return n; } return -1; })()",
          -1);
      Pure uploads = visit.pure("models/uploads.js");
      String all = "[{path: 'a/b.txt'}, {path: 'a/c/d.txt'}, {path: 'ab.txt'}]";
      uploads.gives("partOf(" + all + ", 'a/').map(file => file.path).join()", "b.txt,c/d.txt");
      uploads.gives("partOf(" + all + ", 'a/b.txt').map(file => file.path).join()", "b.txt");
      uploads.gives("partOf(" + all + ", '').length", 3);
    }
  }
}
