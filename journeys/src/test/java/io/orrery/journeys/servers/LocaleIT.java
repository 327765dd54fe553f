package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of names that are not ASCII, in locales whose characters are ASCII (F7). */
@Timeout(120)
class LocaleIT {
  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(strings = {"C", "POSIX"})
  void namesBeyondAsciiAreWhatTheyAreAndTrialsHaveTheUsersLocale(String locale) throws Exception {
    Map<String, String> variables = Map.of("LC_ALL", locale, "LANG", "");
    Path code = Files.createDirectories(temp.resolve("Modèle 数据"));
    Files.writeString(
        code.resolve("größe.sh"),
        """
        echo "locale ${LC_ALL-none} ${ORRERY_USER_LC_ALL-none}"
        echo "given $ORRERY_PARAM_X"
        cat "$(printf 'na\\303\\257ve.txt')"
        echo left >"$NNI_OUTPUT_DIR/ergebnis-ü.txt"
        echo "orrery: final 1"
        """);
    Files.writeString(code.resolve("naïve.txt"), "found\n");
    Path file = code.resolve("versuch-ä.yml");
    Files.writeString(
        file,
        """
        experimentName: Größe
        trialCommand: sh größe.sh
        trialCodeDirectory: .
        trialConcurrency: 1
        maxTrialNumber: 1
        searchSpace: {x: {_type: choice, _value: [Übung]}}
        tuner: {name: Random}
        trainingService: {platform: local}
        """);
    Path home = temp.resolve("Zuhause-ß");
    try (ServerProcess server =
        ServerProcess.begin(home, List.of("--port", "0", "--router-port", "off"), variables)
            .ready()) {
      Json.parse(orrery(variables, home, "experiment", "create", file.toString(), "--json"));
      String id = server.get("/experiments").at("/items/0/id").textValue();
      server.awaitStatus(id, Duration.ofSeconds(60), "DONE");
      JsonNode trial = server.trials(id).getFirst();
      String at = "/experiments/" + id + "/trials/" + trial.get("id").textValue();

      assertThat(trial.get("metric").asDouble()).as(trial.toString()).isEqualTo(1);
      assertThat(trial.at("/parameters/x").textValue()).isEqualTo("Übung");
      assertThat(server.text("/api/v1" + at + "/logs/stdout"))
          .contains("locale " + locale + " none\n", "given Übung\n", "found\n");
      assertThat(Path.of(trial.get("directory").textValue()).resolve("ergebnis-ü.txt"))
          .hasContent("left");
      assertThat(orrery(variables, home, "experiment", "list")).contains("Größe");
    }
  }

  private String orrery(Map<String, String> variables, Path home, String... words)
      throws Exception {
    Path out = temp.resolve("out.txt");
    Path err = temp.resolve("err.txt");
    ProcessBuilder command = new ProcessBuilder(ServerProcess.command(words));
    command.environment().putAll(variables);
    command.environment().put("ORRERY_HOME", home.toString());
    Process process = command.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    String said = Files.readString(out, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(said + Files.readString(err)).isZero();
    return said;
  }
}
