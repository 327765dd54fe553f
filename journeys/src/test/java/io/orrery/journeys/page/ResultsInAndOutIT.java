package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Download;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Brings results and whole experiments in and out by files, as the command line does. */
@Timeout(120)
class ResultsInAndOutIT extends InShop {
  private static Visit visit(String address) {
    return new Visit(chromium, shop.server().url()).to(address);
  }

  private static Path file(String name, String text) throws Exception {
    return Files.writeString(temp.resolve(name), text);
  }

  private static List<JsonNode> trials(String id) throws Exception {
    return shop.server().trials(id);
  }

  @Test
  void resultsOfElsewhereAreImportedFromAFile() throws Exception {
    String id = shop.finished("taught", "1, 2", "quick");
    Path results =
        file(
            "results.json",
            """
            [{"parameter": {"x": 1, "kind": "quick"}, "value": 7},
             {"parameter": {"x": 2, "kind": "quick"}, "value": 8}]
            """);
    Path wrong = file("wrong.json", "[{\"parameter\": {\"x\": 1}}]");
    try (Visit visit = visit("/experiments/" + id)) {
      visit.at("summary[title='More actions']").click();
      visit.page().getByLabel("Import results…").setInputFiles(wrong);
      assertThat(visit.at(".toast.bad")).containsText("value");
      assertThat(trials(id)).hasSize(2);

      visit.page().getByLabel("Import results…").setInputFiles(results);
      assertThat(visit.at(".toast").last()).containsText("2 imported");
      visit.page().getByLabel("Import results…").setInputFiles(results);
      assertThat(visit.at(".toast").last()).containsText("0 imported, 2 known before");
    }
    assertThat(trials(id)).hasSize(4);
  }

  @Test
  void anExperimentIsSavedDeletedAndRestored() throws Exception {
    String id = shop.finished("saved", "1, 2", "quick");
    Path saved = temp.resolve(id + ".ndjson");
    List<JsonNode> before = trials(id);
    try (Visit visit = visit("/experiments/" + id)) {
      visit.at("summary[title='More actions']").click();
      Download archive =
          visit.page().waitForDownload(() -> visit.link("Archive to restore").click());
      assertThat(archive.suggestedFilename()).isEqualTo(id + ".ndjson");
      archive.saveAs(saved);
      shop.server().send("DELETE", "/experiments/" + id, BodyPublishers.noBody());

      visit.to("/");
      visit.page().getByLabel("Restore…").setInputFiles(saved);
      assertThat(visit.at("h1")).hasText("saved");
      assertThat(visit.page()).hasURL(shop.server().url() + "/#/experiments/" + id);
      assertThat(trials(id)).hasSameSizeAs(before);

      visit.to("/");
      visit.page().getByLabel("Restore…").setInputFiles(saved);
      assertThat(visit.at(".toast.bad")).containsText(id);
    }
  }

  /** The form in which {@code experiment save} writes it. */
  @Test
  void whatTheCommandLineSavedIsRestored() throws Exception {
    String id = shop.finished("packed", "1", "quick");
    String lines =
        shop.server()
            .send("GET", "/experiments/" + id + "/archive", BodyPublishers.noBody())
            .body();
    shop.server().send("DELETE", "/experiments/" + id, BodyPublishers.noBody());
    Path saved = temp.resolve("nni_experiment_" + id + ".zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(saved))) {
      add(zip, "experiment.ndjson", lines);
      add(zip, "code/trial.sh", "exit 0\n");
    }
    Path other = temp.resolve("other.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(other))) {
      add(zip, "picture.png", "none");
    }
    byte[] whole = Files.readAllBytes(saved);
    Path torn = Files.write(temp.resolve("torn.zip"), Arrays.copyOf(whole, 200));
    try (Visit visit = visit("/")) {
      visit.page().getByLabel("Restore…").setInputFiles(other);
      assertThat(visit.at(".toast.bad").last()).containsText("other.zip is not what experiment");
      visit.page().getByLabel("Restore…").setInputFiles(torn);
      assertThat(visit.at(".toast.bad").last()).containsText("torn.zip is cut short");
      visit.page().getByLabel("Restore…").setInputFiles(saved);
      assertThat(visit.at("h1")).hasText("packed");
      assertThat(visit.at(".toast").last()).containsText("was not unpacked");
    }
    assertThat(trials(id)).hasSize(1);
  }

  private static void add(ZipOutputStream zip, String name, String text) throws Exception {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(text.getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
  }

  @Test
  void aConfigurationOfNniIsConvertedWhereItIsWritten() {
    try (Visit visit = visit("/new")) {
      visit.button("Configuration").click();
      visit
          .at("config-editor textarea")
          .fill(
              """
              trialConcurrency: 1
              maxExecDuration: 1h
              trainingServicePlatform: local
              searchSpacePath: space.json
              tuner: {builtinTunerName: TPE}
              trial: {command: python3 t.py, codeDir: ., gpuNum: 0}
              """);
      visit.button("Convert").click();
      assertThat(visit.at("section:has(h2:text-is('Converted'))")).containsText("maxExecDuration");
      String text = visit.at("config-editor textarea").inputValue();
      assertThat(text)
          .contains(
              "maxExperimentDuration: \"1h\"", "trialCommand: python3 t.py", "platform: local")
          .doesNotContain("builtinTunerName");

      visit.at("config-editor textarea").fill("- 1\n");
      visit.button("Convert").click();
      assertThat(visit.at(".toast.bad")).isVisible();
      assertThat(visit.at("config-editor textarea")).hasValue("- 1\n");
    }
  }
}
