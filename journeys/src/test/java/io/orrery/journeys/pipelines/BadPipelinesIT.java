package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.journeys.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks files that are wrong in several places, from the command line. */
@Timeout(240)
class BadPipelinesIT extends PipelineJourney {
  /**
   * A file with what is wrong in it: the line and the pointer of each finding, and a part of what
   * is said.
   */
  private record Bad(String text, List<String> findings) {}

  private static final List<Bad> FILES =
      List.of(
          new Bad(
              """
              kind: Pipeline
              name: bad
              nmae: bad
              parallelism: 0
              """,
              List.of("3: /nmae: ", "4: /parallelism: ", "/tasks: ")),
          new Bad(
              """
              kind: Pipeline
              name: bad
              parameters:
                epochs: {type: int, default: 300, range: [1, 100]}
                word: {type: strng}
              tasks:
                - {name: a, command: "echo {{parameters.epoch}}"}
              """,
              List.of(
                  "4: /parameters/epochs/default: ",
                  "5: /parameters/word/type: ",
                  "7: /tasks/0/command: ")),
          new Bad(
              """
              kind: Pipeline
              name: bad
              tasks:
                - {name: a, command: x, after: [c]}
                - {name: b, command: x, after: [a]}
                - {name: c, command: x, after: [b]}
              schedule: {cron: "0 0 31 2 x"}
              """,
              List.of("a needs c needs b needs a", "7: /schedule/cron: ")),
          new Bad(
              """
              kind: Pipeline
              name: bad
              tasks:
                - name: A
                  command: x
                - name: b
                - name: b
                  command: x
              """,
              List.of("4: /tasks/0/name: ", "/tasks/1/command: ", "7: /tasks/2/name: ")),
          new Bad(
              """
              kind: Pipeline
              name: bad
              tasks:
                - {name: a, template: pyton}
                - {name: b, template: python, arguments: {cod: "print(1)"}}
                - {name: c, template: http, arguments: {--timeout: soon}}
              """,
              List.of("4: /tasks/0/template: ", "5: /tasks/1/arguments/cod: ", "6: /tasks/2/")),
          new Bad(
              """
              kind: Pipeline
              name: bad
              tasks:
                - name: a
                  command: x
                  outputs: {m: {path: ../m}}
                - name: b
                  command: x
                  inputs: {m: "{{tasks.a.outputs.n}}"}
              """,
              List.of("6: /tasks/0/outputs/m/path: ", "9: /tasks/1/inputs/m: ")),
          new Bad(
              """
              kind: Pipeline
              name: bad
              tasks:
                - name: a
                  command: x
                  retry: {attempts: 0, backof: 3s}
                  timeout: soon
                  when: "3 >"
              """,
              List.of(
                  "6: /tasks/0/retry/attempts: ",
                  "6: /tasks/0/retry/backof: ",
                  "7: /tasks/0/timeout: ",
                  "8: /tasks/0/when: ")),
          new Bad(
              """
              kind: Pipeline
              name: bad
              tasks:
                - name: a
                  command: x
                  resources: {cpu: many, memory: 4T, gpu: -1}
              """,
              List.of(
                  "6: /tasks/0/resources/cpu: ",
                  "6: /tasks/0/resources/memory: ",
                  "6: /tasks/0/resources/gpu: ")),
          new Bad(
              """
              kind: Pipeline
              name: bad
              tasks:
                - {name: a, command: x, env: {ORRERY_RUN: x}}
                - {name: b, command: x, trainingService: {platform: moon}}
                - {name: c, command: x, cmd: y}
              """,
              List.of("4: /tasks/0/env: ", "5: /tasks/1/trainingService", "6: /tasks/2/cmd: ")),
          new Bad(
              """
              kind: Pipeline
              name: bad
              tasks:
                - {name: a, command: "echo {{7*7}}"}
                - {name: b, command: "echo {{x"}
                - {name: c, command: x, each: {seed: []}}
              """,
              List.of("4: /tasks/0/command: ", "5: /tasks/1/command: ", "6: /tasks/2/each")),
          new Bad(
              """
              kind: Pipeline
              name: bad
              tasks: [{name: a, command: x}]
              schedule:
                cron: "61 * * * *"
                timeZone: Europe/Berln
                maxActiveRuns: 0
              """,
              List.of(
                  "5: /schedule/cron: ",
                  "6: /schedule/timeZone: ",
                  "7: /schedule/maxActiveRuns: ")),
          new Bad(
              """
              kind: Pipeline
              name: bad
              tasks: [{name: a, command: x}]
              alerts: {on: [LOST], mail: [nowhere]}
              """,
              List.of("4: /alerts/on: ", "4: /alerts/mail")));

  private record Said(int code, String text) {}

  private Said check(Path file) throws Exception {
    return said("pipeline", "check", file.toString());
  }

  private Said said(String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(ServerProcess.command(command));
    builder.environment().put("ORRERY_HOME", home().toString());
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    process.getInputStream().transferTo(said);
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    return new Said(process.exitValue(), said.toString(StandardCharsets.UTF_8));
  }

  @Test
  void everythingIsToldAtOnceWithLineAndPointerAndTheExitCodeIsTwo() throws Exception {
    assertThat(FILES).hasSize(12);
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < FILES.size(); i++) {
      Bad bad = FILES.get(i);
      Path file = Files.writeString(temp.resolve("bad-" + i + ".yml"), bad.text());

      Said said = check(file);

      assertThat(said.code()).as(said.text()).isEqualTo(2);
      for (String finding : bad.findings()) {
        String wanted =
            finding.matches("[0-9].*") ? "bad-%d.yml:%s".formatted(i, finding) : finding;
        if (!said.text().contains(wanted)) {
          missing.add(wanted + " in " + said.text());
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(server.get("/pipelines").path("items")).isEmpty();
  }

  @Test
  void documentsOfEachKindWithoutANameTellTheirOtherFaultsToo() throws Exception {
    String pipeline =
        """
        kind: Pipeline
        nmae: bad
        parallelism: 0
        tasks: [{name: a}]
        schedule: {cron: "61 * * * *"}
        """;
    Path alone = Files.writeString(temp.resolve("alone.yml"), pipeline);
    Path all =
        Files.writeString(
            temp.resolve("all.yml"),
            pipeline
                + """
                ---
                kind: Service
                command: x
                replicas: many
                ---
                kind: Notebook
                bogus: 1
                ---
                kind: Template
                command: [x]
                bogus: 1
                ---
                kind: Model
                versions: {}
                ---
                kind: Domain
                shares: []
                ---
                kind: Service
                name: twice
                command: x
                ---
                kind: Service
                name: twice
                command: x
                bogus: 1
                """);

    Said checked = check(alone);
    assertThat(checked.code()).isEqualTo(2);
    assertThat(checked.text())
        .contains(
            "alone.yml:1: /name: a name is missing",
            "alone.yml:2: /nmae: ",
            "alone.yml:3: /parallelism: ",
            "alone.yml:4: /tasks/0/command: ",
            "alone.yml:5: /schedule/cron: ");

    Said applied = said("apply", "-f", all.toString());
    assertThat(applied.code()).isEqualTo(2);
    assertThat(applied.text())
        .contains(
            "all.yml:3: /parallelism: ",
            "all.yml:7: /name: a name is missing",
            "all.yml:9: /replicas: ",
            "all.yml:11: /name: a name is missing",
            "all.yml:12: /bogus: ",
            "all.yml:14: /name: a name is missing",
            "all.yml:16: /bogus: ",
            "all.yml:18: /name: a name is missing",
            "all.yml:19: /versions: ",
            "all.yml:21: /name: a name is missing",
            "all.yml:22: /shares: ",
            "all.yml:29: /name: Service/twice is there twice",
            "all.yml:31: /bogus: ");
    assertThat(server.get("/services").path("items")).isEmpty();
  }
}
