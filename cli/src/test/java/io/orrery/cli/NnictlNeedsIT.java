package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs each command of {@code nnictl} that asks a server: what it asks for besides its declared
 * operations fails in {@link CommandNeeds#check}.
 */
final class NnictlNeedsIT {
  private static final String V1 = "/api/v1/experiments/abcdefgh";
  private static final String NNI = "/experiments/abcdefgh/api/v1/nni/";
  private static final String EXPERIMENT =
      """
      {"id":"abcdefgh","name":"digits","status":"RUNNING","maxTrialNumber":20,"trialConcurrency":2,
       "maxExperimentDuration":null,"trialCounts":{},"best":null,"createdAt":"2026-03-01T11:57:00Z"}\
      """;

  @TempDir Path directory;
  private final FakeServer server = new FakeServer();
  private CommandLineRun run;

  @BeforeEach
  void prepare() throws IOException {
    run = new CommandLineRun(directory).at(server);
    run.name = "nnictl";
    Files.writeString(directory.resolve("e.yml"), "trialCommand: x\n");
    Files.writeString(directory.resolve("s.json"), "{\"x\":{\"_type\":\"choice\",\"_value\":[1]}}");
    Files.writeString(directory.resolve("r.json"), "[]");
    Files.writeString(
        directory.resolve("m.yml"), "algoType: tuner\nbuiltinName: own\nclassName: a.B\n");
    String list = "{\"items\":[" + EXPERIMENT + "],\"next\":null}";
    server
        .on("GET /api/v1/experiments", 200, list)
        .on("POST /api/v1/experiments", 201, EXPERIMENT)
        .on("GET " + V1, 200, EXPERIMENT)
        .on("PATCH " + V1, 200, EXPERIMENT)
        .on("DELETE " + V1, 204, "")
        .on("POST " + V1 + "/stop", 200, EXPERIMENT)
        .on("POST " + V1 + "/resume", 200, EXPERIMENT)
        .on("PUT " + V1 + "/port", 204, "")
        .on("DELETE " + V1 + "/port", 204, "")
        .on("POST " + V1 + "/import", 200, "{\"imported\":0,\"duplicates\":0,\"notices\":[]}")
        .on("POST " + V1 + "/trials/abcde/cancel", 200, "{\"id\":\"abcde\"}")
        .on("GET " + V1 + "/trials", 200, "{\"items\":[{\"id\":\"abcde\"}],\"next\":null}")
        .on("POST " + V1 + "/tensorboards", 201, "{\"id\":\"b1\",\"url\":\"http://x\"}")
        .on("GET " + V1 + "/tensorboards", 200, "{\"items\":[{\"id\":\"b1\"}]}")
        .on("DELETE " + V1 + "/tensorboards/b1", 204, "")
        .on(
            "GET /api/v1/nni/experiments-info",
            200,
            "[{\"id\":\"abcdefgh\",\"status\":\"RUNNING\",\"port\":8080,\"pid\":1}]")
        .on("GET " + NNI + "experiment", 200, "{\"id\":\"abcdefgh\",\"params\":{}}")
        .on("GET " + NNI + "experiment-metadata", 200, "{\"id\":\"abcdefgh\"}")
        .on("GET " + NNI + "check-status", 200, "{\"status\":\"RUNNING\"}")
        .on("GET " + NNI + "trial-jobs", 200, "[]")
        .on("GET " + NNI + "export-data", 200, "[]")
        .on("GET " + NNI + "metric-data", 200, "[]")
        .on(
            "GET /api/v1/tuners",
            200,
            "{\"items\":[{\"name\":\"own\",\"kind\":\"tuner\"}],\"next\":null}")
        .on("POST /api/v1/tuners", 201, "{\"name\":\"own\"}")
        .on("DELETE /api/v1/tuners/own", 204, "")
        .on("GET /api/v1/platforms", 200, "{\"items\":[],\"next\":null}");
  }

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "create --config e.yml | POST /api/v1/experiments",
        "resume abcdefgh | POST " + V1 + "/resume",
        "view abcdefgh | GET " + V1,
        "stop | POST " + V1 + "/stop",
        "update searchspace --filename s.json | PATCH " + V1,
        "update concurrency --value 2 | PATCH " + V1,
        "update duration --value 1h | PATCH " + V1,
        "update trialnum --value 9 | PATCH " + V1,
        "trial ls | GET " + NNI + "trial-jobs",
        "trial kill --trial_id abcde | POST " + V1 + "/trials/abcde/cancel",
        "experiment show | GET " + NNI + "experiment",
        "experiment status | GET " + NNI + "check-status",
        "experiment view abcdefgh | GET " + V1,
        "experiment list | GET /api/v1/nni/experiments-info",
        "experiment list --json | GET /api/v1/experiments",
        "experiment delete abcdefgh --yes | DELETE " + V1,
        "experiment import --filename r.json | POST " + V1 + "/import",
        "experiment export --type json --filename o.json | GET " + NNI + "export-data",
        "experiment export -t csv -f o.csv --intermediate | GET " + NNI + "metric-data",
        "webui url | GET /api/v1/nni/experiments-info",
        "config show | GET " + NNI + "experiment",
        "log trial | GET " + NNI + "trial-jobs",
        "algo list | GET /api/v1/tuners",
        "algo show own | GET /api/v1/tuners",
        "algo register --meta_path m.yml | POST /api/v1/tuners",
        "algo unregister own | DELETE /api/v1/tuners/own",
        "package list | GET /api/v1/tuners",
        "package show own | GET /api/v1/tuners",
        "package install --name own | GET /api/v1/tuners",
        "package uninstall own | DELETE /api/v1/tuners/own",
        "trainingservice list | GET /api/v1/platforms",
        "tensorboard start | POST " + V1 + "/tensorboards",
        "tensorboard list | GET " + V1 + "/tensorboards",
        "tensorboard stop | DELETE " + V1 + "/tensorboards/b1",
      })
  void aCommandAsksForItsDeclaredOperationsAlone(String line, String asked) {
    CommandLineRun.Result result = run.run(line.split(" "));

    assertThat(result.code()).as(result.err()).isZero();
    List<String> plain = server.lines().stream().map(each -> each.replaceAll("\\?.*", "")).toList();
    assertThat(plain).contains(asked);
  }
}
