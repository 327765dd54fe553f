package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.Orrery;
import io.orrery.cli.print.Prompt;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import io.orrery.journeys.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Studies in a database with the tables of Optuna 3, which SQLite itself makes here. */
@Timeout(120)
class OptunaStudyIT {
  private static final String DATABASE =
      """
      import json, sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.executescript('''
        create table studies (study_id integer primary key, study_name varchar(512) not null);
        create table study_directions (study_direction_id integer primary key, direction varchar(8) not null,
          study_id integer, objective integer not null);
        create table trials (trial_id integer primary key, number integer, study_id integer,
          state varchar(8) not null, datetime_start datetime, datetime_complete datetime);
        create table trial_params (param_id integer primary key, trial_id integer, param_name varchar(512),
          param_value float, distribution_json text);
        create table trial_values (trial_value_id integer primary key, trial_id integer,
          objective integer not null, value float, value_type varchar(7) not null);
        create table trial_intermediate_values (trial_intermediate_value_id integer primary key,
          trial_id integer, step integer, intermediate_value float, intermediate_value_type varchar(7) not null);
        insert into studies values (1, 'good'), (2, 'bad'), (3, 'two');
        insert into study_directions values (1, 'MAXIMIZE', 1, 0), (2, 'MINIMIZE', 2, 0),
          (3, 'MINIMIZE', 3, 0), (4, 'MINIMIZE', 3, 1);
        insert into trials values
          (1, 0, 1, 'COMPLETE', '2024-03-01 10:00:00.250000', '2024-03-01 10:01:00.500000'),
          (2, 1, 1, 'PRUNED', '2024-03-01 10:02:00.000000', '2024-03-01 10:03:00.000000'),
          (3, 2, 1, 'FAIL', '2024-03-01 10:04:00.000000', '2024-03-01 10:05:00.000000'),
          (4, 3, 1, 'WAITING', null, null),
          (5, 0, 2, 'COMPLETE', '2024-03-01 10:00:00', '2024-03-01 10:01:00');
        insert into trial_values values (1, 1, 0, 0.75, 'FINITE'), (2, 5, 0, 1, 'FINITE');
        insert into trial_intermediate_values values (1, 1, 5, 0.25, 'FINITE'), (2, 1, 10, 0.5, 'FINITE'),
          (3, 2, 5, null, 'NAN');
      ''')
      def of(name, **attributes):
          return json.dumps({"name": name, "attributes": attributes})
      def parameters(trial, high, rate, layers, optimizer, width):
          for name, value, distribution in (
              ("rate", rate, of("FloatDistribution", step=None, low=0.001, high=high, log=True)),
              ("layers", layers, of("IntDistribution", log=False, step=1, low=1, high=4)),
              ("optimizer", optimizer, of("CategoricalDistribution", choices=["adam", "sgd"])),
              ("width", width, of("IntDistribution", log=False, step=4, low=1, high=9))):
              db.execute('insert into trial_params (trial_id, param_name, param_value, distribution_json)'
                ' values (?,?,?,?)', (trial, name, value, distribution))
      parameters(1, 0.1, 0.01, 3, 1, 5)
      parameters(2, 0.2, 0.15, 1, 0, 9)
      parameters(3, 0.1, 0.02, 4, 0, 1)
      parameters(5, 0.1, 0.01, 3, 7, 5)
      db.commit()
      """;

  @TempDir Path directory;

  @BeforeEach
  void make() throws Exception {
    Process process =
        new ProcessBuilder("python3", "-c", DATABASE, directory.resolve("study.db").toString())
            .inheritIO()
            .start();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  @Test
  void aStudyIsAnExperimentThatHasEndedAndWhatCannotBeTakenChangesNothing() throws Exception {
    byte[] before = Files.readAllBytes(directory.resolve("study.db"));
    try (ServerProcess server = ServerProcess.start(directory.resolve("home"))) {
      assertThat(refused(server, "study.db")).contains("3 studies", "--study", "'good', 'bad'");
      assertThat(refused(server, "study.db", "--study", "none")).contains("no study 'none'");
      assertThat(refused(server, "study.db", "--study", "two")).contains("has 2 objectives");
      assertThat(refused(server, "study.db", "--study", "bad"))
          .contains("trial 0, parameter 'optimizer': choice 7.0 of 2");
      assertThat(refused(server, "gone.db")).contains("gone.db");
      Files.writeString(directory.resolve("text.db"), "no database at all, but text\n".repeat(99));
      assertThat(refused(server, "text.db")).contains("text.db cannot be read");
      assertThat(server.get("/experiments").path("items")).isEmpty();

      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      assertThat(command(server, out, err, "study.db", "--study", "good"))
          .as(err.toString(StandardCharsets.UTF_8))
          .isZero();
      String id = out.toString(StandardCharsets.UTF_8).strip();

      JsonNode here = server.get("/experiments/" + id);
      assertThat(here.path("status").asText()).isEqualTo("DONE");
      assertThat(here.path("name").asText()).isEqualTo("good");
      assertThat(here.path("best").path("metric").asDouble()).isEqualTo(0.75);
      List<JsonNode> trials = server.trials(id);
      assertThat(trials)
          .extracting(t -> t.path("status").asText())
          .containsExactly("SUCCEEDED", "EARLY_STOPPED", "FAILED");
      assertThat(trials.getFirst().path("parameters").toString())
          .isEqualTo("{\"rate\":0.01,\"layers\":3,\"optimizer\":\"sgd\",\"width\":5}");
      String points = server.text("/api/v1/experiments/" + id + "/trials/optuna-0/metrics");
      assertThat(points).contains("0.25", "0.5", "0.75");
      assertThat(server.text("/api/v1/experiments/" + id + "/export")).contains("\"sgd\"", "0.75");
      assertThat(server.text("/api/v1/experiments/" + id + "/archive"))
          .contains("loguniform", "[0.001,0.2]", "[1,5]", "[\"adam\",\"sgd\"]", "[1,5,9]");
      assertThat(refused(server, "study.db", "--study", "good")).contains("is not free");
    }
    assertThat(Files.readAllBytes(directory.resolve("study.db"))).isEqualTo(before);
  }

  private String refused(ServerProcess server, String... arguments) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertThat(command(server, new ByteArrayOutputStream(), err, arguments)).isNotZero();
    return err.toString(StandardCharsets.UTF_8);
  }

  private int command(
      ServerProcess server,
      ByteArrayOutputStream out,
      ByteArrayOutputStream err,
      String... arguments) {
    Terminal terminal =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of("ORRERY_HOME", server.home().toString()),
            directory,
            InstantSource.system(),
            false,
            Prompt.NONE);
    String[] all = new String[arguments.length + 2];
    all[0] = "experiment";
    all[1] = "import-optuna";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return Orrery.run(
        "orrery",
        all,
        options -> 1,
        (file, followed) -> 1,
        new ServerProgram(List.of("false")),
        terminal,
        () -> new Interrupts(status -> {}));
  }
}
