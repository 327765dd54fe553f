package io.orrery.gateway.journey;

import static org.assertj.core.api.Assertions.assertThat;

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
    ProcessBuilder builder =
        new ProcessBuilder(ServerProcess.command("pipeline", "check", file.toString()));
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
}
