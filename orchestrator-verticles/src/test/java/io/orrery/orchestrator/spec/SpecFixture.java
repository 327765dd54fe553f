package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A directory with a trial in it, and files of both dialects that are in order. */
abstract class SpecFixture {
  static final long SEED = 4711;

  static final String SPACE = "{\"lr\": {\"_type\": \"uniform\", \"_value\": [0, 1]}}";

  static final String GOOD =
      """
      experimentName: twin
      trialCommand: python3 trial.py
      trialCodeDirectory: code
      trialConcurrency: 2
      maxTrialNumber: 10
      maxExperimentDuration: 1h
      searchSpace:
        lr: {_type: uniform, _value: [0, 1]}
      tuner:
        name: TPE
        classArgs: {optimize_mode: minimize}
      trainingService:
        platform: local
      """;

  @TempDir Path temporary;
  Path directory;

  @BeforeEach
  void layOut() throws IOException {
    directory = temporary.toRealPath();
    Files.createDirectory(directory.resolve("code"));
    Files.writeString(directory.resolve("space.json"), SPACE);
  }

  SpecReading read(String text) {
    return new SpecReader(
            List.of("local"), Map.of(), () -> SEED, secret -> "sealed:" + secret.length())
        .read(text, directory.toString());
  }

  ExperimentSpec spec(String text) {
    SpecReading reading = read(text);
    assertThat(reading.findings()).isEmpty();
    return Objects.requireNonNull(reading.spec());
  }

  /** The one finding of a text that has one fault. */
  Finding fault(String text) {
    SpecReading reading = read(text);
    assertThat(reading.spec()).isNull();
    assertThat(reading.findings()).hasSize(1);
    return reading.findings().getFirst();
  }

  /** The good file with a line changed. */
  static String with(String line, String instead) {
    assertThat(GOOD).contains(line);
    return GOOD.replace(line, instead);
  }

  void write(String name, String content) {
    try {
      Files.writeString(directory.resolve(name), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
