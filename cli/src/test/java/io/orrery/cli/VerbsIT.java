package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.CommandLineRun.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VerbsIT {
  private static final String V1 = "/api/v1/experiments";
  private static final String FIRST =
      """
      {"id":"abcdefgh","name":"digits","status":"RUNNING","maxTrialNumber":20,"trialCounts":{"SUCCEEDED":3},
       "best":{"trial":"trial","metric":0.9567,"parameters":{"lr":0.1}},"createdAt":"2026-03-01T11:57:00Z"}\
      """;
  private static final String SECOND =
      """
      {"id":"abzzzzzz","name":"\\u001b[31mold","status":"DONE","maxTrialNumber":null,"trialCounts":{},
       "best":null,"createdAt":"2026-02-20T12:00:00Z"}\
      """;
  private static final String TRIAL =
      """
      {"id":"trial","experiment":"abcdefgh","sequenceId":0,"status":"SUCCEEDED","metric":0.5,
       "parameters":{"lr":0.1},"startedAt":"2026-03-01T11:59:00Z","endedAt":"2026-03-01T11:59:30Z"}\
      """;

  @TempDir Path directory;

  private final FakeServer server = new FakeServer();
  private CommandLineRun run;

  @BeforeEach
  void prepare() {
    run = new CommandLineRun(directory).at(server);
    server
        .on("GET " + V1, 200, "{\"items\":[" + FIRST + "],\"next\":\"more\"}")
        .on("GET " + V1, 200, "{\"items\":[" + SECOND + "],\"next\":null}")
        .on("GET " + V1 + "/abcdefgh", 200, FIRST)
        .on("GET " + V1 + "/abcdefgh/trials", 200, "{\"items\":[" + TRIAL + "],\"next\":null}")
        .on("GET " + V1 + "/abcdefgh/trials/trial", 200, TRIAL);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void aListIsATableOfAllPages() {
    Result result = run.run("experiment", "list");

    assertThat(result.out())
        .isEqualTo(
            """
            ID        NAME      STATUS   TRIALS    BEST      CREATED
            abcdefgh  digits    RUNNING    3/20  0.9567    3 min ago
            abzzzzzz  ?[31mold  DONE          0       -  9 d 0 h ago
            """);
    assertThat(server.lines())
        .containsExactly("GET " + V1 + "?limit=1000", "GET " + V1 + "?limit=1000&cursor=more");
  }

  @Test
  void aPlatformIsCheckedWithATickOrARemedyForEachThing() throws IOException {
    Files.writeString(directory.resolve("exp.yml"), "trialCommand: true");
    String items =
        """
        {"what":"API server","verdict":"GOOD","found":"v1.36","mend":null},
        {"what":"callback","verdict":"DOUBTFUL","found":"not to be known from here","mend":"run a trial"}\
        """;
    String bad =
        ",{\"what\":\"quota\",\"verdict\":\"BAD\",\"found\":\"no room\",\"mend\":\"ask for more\"}";
    String document = "{\"platform\":\"kubeflow\",\"works\":%b,\"items\":[%s],\"notices\":[]}";
    server
        .on("POST /api/v1/platforms/check", 200, document.formatted(true, items))
        .on("POST /api/v1/platforms/check", 200, document.formatted(false, items + bad));

    assertThat(run.run("platform", "check", "exp.yml").code()).isZero();
    Result result = run.run("platform", "check", "exp.yml", "--project", "vision");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out())
        .isEqualTo(
            """
               WHAT           FOUND                      REMEDY
            \u2713  configuration  exp.yml is for kubeflow
            \u2713  API server     v1.36
            ?  callback       not to be known from here  run a trial
            \u2717  quota          no room                    ask for more
            """);
    assertThat(server.lines().getFirst()).contains("?base=").doesNotContain("project");
    assertThat(server.lines().getLast()).endsWith("&project=vision");
  }

  @Test
  void theMachinesOfAnExperimentAreShownWithTheirStateAndWhatKeepsTrialsAway() {
    String machines =
        """
        {"items":[
         {"service":"remote","name":"ada@gpu1:22","absence":null,"since":"2026-03-01T11:00:00Z",
          "heardAt":"2026-03-01T11:59:52Z","trials":["abcde","fghij"],"others":1,"free":2,
          "gpus":{"seenAt":"2026-03-01T11:59:52Z","failure":null,"waiting":0,"devices":[
           {"index":0,"name":"A100","memory":81920,"trials":1,"trouble":null},
           {"index":1,"name":"A100","memory":81920,"trials":0,"trouble":"is used by another user"},
           {"index":2,"name":"A100","memory":81920,"trials":0,"trouble":null}]}},
         {"service":"remote","name":"ada@gpu2:22","absence":"cannot be reached: Connection refused",
          "since":"2026-03-01T11:58:00Z","heardAt":null,"trials":[],"others":0,"free":null,"gpus":null},
         {"service":"pai","name":null,"absence":null,"since":null,"heardAt":null,"trials":[],"others":0,
          "free":null,"gpus":{"seenAt":null,"failure":"nvidia-smi was cut off","waiting":0,"devices":[]}}]}\
        """;
    server.on("GET " + V1 + "/abcdefgh/machines", 200, machines);

    Result result = run.run("platform", "machines", "abcdefgh");

    assertThat(result.out())
        .isEqualTo(
            """
            MACHINE      PLATFORM  TAKES TRIALS     FOR    HEARD  TRIALS  OTHERS  ROOM FOR  GPUS FREE  WHY NOT
            ada@gpu1:22  remote    yes           60 min  8 s ago       2       1         2     1 of 3
            ada@gpu2:22  remote    no             2 min        -       0       0         -          -  it cannot be reached: Connection refused
            -            pai       yes                -        -       0       0         -          -  GPUs: nvidia-smi was cut off
            """);
    assertThat(run.run("platform", "machines", "abcdefgh", "--json").out())
        .startsWith("{\"items\":[{\"service\":\"remote\"")
        .containsOnlyOnce("\n");
  }

  @Test
  void anExperimentThatHasEndedHasNoMachines() {
    server
        .on("GET " + V1 + "/abzzzzzz", 200, SECOND)
        .on("GET " + V1 + "/abzzzzzz/machines", 200, "{\"items\":[]}");

    Result result = run.run("platform", "machines", "abzzzzzz");

    assertThat(result.code()).isZero();
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("experiment abzzzzzz has ended");
  }

  @Test
  void aListAsJsonIsOneDocument() {
    assertThat(run.run("experiment", "list", "--json").out())
        .startsWith("{\"items\":[{\"id\":\"abcdefgh\"")
        .endsWith("],\"next\":null}\n")
        .containsOnlyOnce("\n");
  }

  @ParameterizedTest
  @CsvSource({
    "experiment show",
    "experiment stop",
    "experiment delete",
    "experiment export",
    "platform machines",
    "trial list",
    "trial show",
    "trial kill"
  })
  void anEmptyIdIsRefusedBeforeTheServerIsAsked(String verb) {
    for (String id : new String[] {"", " ", "..", "."}) {
      String[] words = (verb + " " + "?").split(" ");
      words[2] = id;

      Result result = run.run(words);

      assertThat(result.code()).as(id).isEqualTo(2);
      assertThat(result.err()).contains("'" + id + "' is not");
    }
    assertThat(server.lines()).isEmpty();
  }

  @Test
  void whatIsWrongIsSaidOnce() {
    server.on(
        "PATCH " + V1 + "/abcdefgh",
        400,
        """
        {"title":"The input was refused","status":400,"detail":"line 1, /maxTrialNumber: must be more",
         "errors":[{"pointer":"/maxTrialNumber","message":"must be more","line":1}]}\
        """);

    Result result = run.run("experiment", "update", "abcdefgh", "--max-trials", "0");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).isEqualTo("orrery: line 1, /maxTrialNumber: must be more\n");
  }

  @Test
  void anExperimentWithoutANameIsListedByItsIdAlone() {
    String nameless = FIRST.replace("\"digits\"", "null");
    server.on(
        "GET " + V1,
        200,
        "{\"items\":["
            + nameless
            + ","
            + FIRST.replace("abcdefgh", "abcdefgi")
            + "],\"next\":null}");
    run.run("experiment", "list"); // the two pages of the others

    Result result = run.run("experiment", "stop");

    assertThat(result.err())
        .contains("several experiments are active; say which one: abcdefgh, abcdefgi (digits)");
  }

  @ParameterizedTest
  @CsvSource({"stop", "pause", "resume"})
  void theOnlyActiveExperimentNeedsNoName(String verb) {
    server.on("POST " + V1 + "/abcdefgh/" + verb, 200, FIRST);

    assertThat(run.run("experiment", verb).code()).isZero();
    assertThat(server.lines()).contains("POST " + V1 + "/abcdefgh/" + verb);
  }

  @Test
  void theBeginningOfAnIdIsEnough() {
    assertThat(run.run("experiment", "show", "abc").out()).contains("id          abcdefgh");
  }

  @Test
  void anUnclearBeginningListsTheCandidates() {
    Result result = run.run("experiment", "show", "ab");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("abcdefgh (digits)").contains("abzzzzzz");
  }

  @Test
  void anUnknownExperimentIsToldWithTheNearestOne() {
    Result result = run.run("experiment", "show", "abcdefgg");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("no experiment 'abcdefgg' (did you mean 'abcdefgh'?)");
  }

  @Test
  void createPrintsTheIdAlone() throws IOException {
    Files.writeString(directory.resolve("e.json"), "{}");
    server.on("POST " + V1, 201, FIRST);

    Result result = run.run("experiment", "create", "e.json");

    assertThat(result.code()).isZero();
    assertThat(result.out()).isEqualTo("abcdefgh\n");
  }

  @Test
  void updateSendsOnlyWhatWasGiven() {
    server.on("PATCH " + V1 + "/abcdefgh", 200, FIRST);

    run.run("experiment", "update", "abcdefgh", "--max-trials", "50", "--max-duration", "2h");

    assertThat(server.requests().getLast().body())
        .isEqualTo("{\"maxTrialNumber\":50,\"maxExperimentDuration\":\"2h\"}");
    assertThat(run.run("experiment", "update", "abcdefgh").code()).isEqualTo(2);
  }

  @Test
  void anExportGoesToItsFileWholeOrNotAtAll() throws IOException {
    String csv = "GET " + V1 + "/abcdefgh/export";
    server.on(csv, 200, "a,b\n1,2\n").on(csv, 500, "");
    Path file = directory.resolve("out.csv");
    String[] export = {
      "experiment", "export", "abcdefgh", "--format", "csv", "--output", "out.csv"
    };

    assertThat(run.run(export).code()).isZero();
    assertThat(run.run(export).code()).isEqualTo(1);

    assertThat(file).content().isEqualTo("a,b\n1,2\n");
    assertThat(directory).isDirectoryNotContaining("glob:**.part");
    assertThat(server.lines()).contains(csv + "?format=csv");
  }

  @Test
  void resultsAreImportedFromAFile() throws IOException {
    Files.writeString(directory.resolve("in.json"), "[]");
    server.on(
        "POST " + V1 + "/abcdefgh/import",
        200,
        "{\"imported\": 3, \"duplicates\": 2, \"notices\": [\"Odd.\"]}");

    Result result = run.run("experiment", "import", "abcdefgh", "in.json");

    assertThat(result.code()).isZero();
    assertThat(result.err())
        .contains("Odd.")
        .contains("experiment abcdefgh has 3 more results; 2 were there already");
    assertThat(run.run("experiment", "import", "abcdefgh", "none.json").code()).isEqualTo(2);
  }

  @Test
  void trialsAreATable() {
    assertThat(run.run("trial", "list", "abcdefgh", "--status", "SUCCEEDED").out())
        .isEqualTo(
            """
            #  ID     STATUS     METRIC  DURATION   STARTED  PARAMETERS
            0  trial  SUCCEEDED     0.5      30 s  60 s ago  {"lr":0.1}
            """);
    assertThat(server.lines().getLast()).contains("status=SUCCEEDED");
  }

  @ParameterizedTest
  @CsvSource({"abcdefgh/trial,", "abc/tr,", "trial,abcdefgh", "tri,"})
  void aTrialIsNamedInSeveralWays(String trial, String experiment) {
    String kill = "POST " + V1 + "/abcdefgh/trials/trial/cancel";
    server.on(kill, 200, TRIAL);

    Result result =
        experiment == null
            ? run.run("trial", "kill", trial)
            : run.run("trial", "kill", trial, "--experiment", experiment);

    assertThat(result.err()).contains("trial is SUCCEEDED");
    assertThat(server.lines().getLast()).isEqualTo(kill);
  }

  @Test
  void logsAreCopiedAsTheyAre() {
    String logs = "GET " + V1 + "/abcdefgh/trials/trial/logs/";
    server.on(logs + "stdout", 200, "out\u001b[1m\n").on(logs + "stderr", 200, "no newline");

    assertThat(run.run("trial", "logs", "abcdefgh/trial").out()).isEqualTo("out\u001b[1m\n");
    assertThat(run.run("trial", "logs", "abcdefgh/trial", "--stderr", "--follow").out())
        .isEqualTo("no newline");
    assertThat(server.lines().getLast()).isEqualTo(logs + "stderr?follow=true");
    assertThat(run.run("experiment", "logs", "abcdefgh").out()).isEqualTo("out\u001b[1m\n");
    assertThat(run.run("trial", "logs", "abcdefgh/trial", "--stderr", "--trial").code())
        .isEqualTo(2);
  }

  @Test
  void aConflictIsAFailureInTheServersWords() {
    server.on(
        "DELETE " + V1 + "/abcdefgh",
        409,
        "{\"title\":\"The present state does not allow this\",\"detail\":\"It is running.\"}");

    Result result = run.run("experiment", "delete", "abcdefgh");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("The present state does not allow this: It is running.");
  }

  @Test
  void somethingElseAtTheAddressIsNotTakenForAServer() {
    try (FakeServer other = new FakeServer().on("GET " + V1, 200, "<html>")) {
      Result result = run.run("experiment", "list", "--server", other.url());

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("not an Orrery server");
    }
  }

  @Test
  void theOptionBeatsTheVariableAndTheVariableTheFile() throws IOException {
    try (FakeServer option = list();
        FakeServer variable = list();
        FakeServer file = list()) {
      Path home = Files.createDirectories(directory.resolve("home"));
      Files.writeString(
          home.resolve("server.json"),
          "{\"pid\":1,\"url\":\"" + file.url() + "\",\"token\":\"of the file\"}");
      run.environment.put("ORRERY_URL", variable.url());

      run.run("--server", option.url(), "--token", "given", "experiment", "list");
      run.run("experiment", "list");
      run.environment.remove("ORRERY_URL");
      run.run("experiment", "list");
      run.environment.put("ORRERY_TOKEN", "of the variable");
      run.run("experiment", "list");

      assertThat(option.requests())
          .singleElement()
          .extracting(FakeServer.Request::authorization)
          .isEqualTo("Bearer given");
      assertThat(variable.requests())
          .singleElement()
          .extracting(FakeServer.Request::authorization)
          .isNull();
      assertThat(file.requests())
          .extracting(FakeServer.Request::authorization)
          .containsExactly("Bearer of the file", "Bearer of the variable");
    }
  }

  private static FakeServer list() {
    return new FakeServer().on("GET " + V1, 200, "{\"items\":[],\"next\":null}");
  }
}
