package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads random files: each ends in a specification or in findings. */
class SpecReaderFuzzTest extends SpecFixture {
  private static final List<String> SHREDS =
      List.of(
          "null",
          "~",
          "[]",
          "{}",
          "-1",
          "1e400",
          ".nan",
          "0x",
          "0b2",
          "1:99:1",
          "2020-99-99",
          "!!binary x",
          "!!java.lang.Object {}",
          "&a",
          "*a",
          "<<: *a",
          "<<",
          "? [a]",
          "\t",
          "\u0000",
          "\uD800",
          "'",
          "\"",
          "trial: {",
          "tuner: 3",
          "searchSpacePath: 3",
          "name: {}",
          "- ",
          ": ",
          "#",
          "|",
          "%",
          "@",
          "trialCodeDirectory: \"\\0\"",
          "99999999999999999999",
          "!!int x",
          "!!float y",
          "!!set {a}",
          "objectives: [3]",
          "retry: [1]",
          "trainingService: []",
          "platform: [local]",
          "gpuIndices: 'a,,'",
          "sharedStorage: {storageType: 3}",
          "advisor: {}",
          "assessor: []",
          "multiPhase: [1]",
          "trainingServicePlatform: {a: b}",
          "localConfig: []",
          "classArgs: 3",
          "seed: 1.5",
          "_type: 3");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void noMutationOfAFileMakesItsReadingFail(long seed) {
    write("code/a.py", "");
    RandomGenerator random = new Random(seed);
    String v1 =
        """
        authorName: x
        trialConcurrency: 1
        maxExecDuration: 1h
        maxTrialNum: 10
        trainingServicePlatform: local
        searchSpacePath: space.json
        tuner: {builtinTunerName: TPE, classArgs: {optimize_mode: maximize}}
        assessor: {codeDir: code, classFileName: a.py, className: A}
        trial: {command: ls, codeDir: code, gpuNum: 0}
        localConfig: {gpuIndices: "0,1", useActiveGpu: true}
        """;
    for (int i = 0; i < 1_000; i++) {
      String text = mutated(random.nextBoolean() ? GOOD : v1, random);

      SpecReading reading = read(text);

      assertThat(reading.spec() == null).as(text).isEqualTo(!reading.findings().isEmpty());
    }
  }

  private static String mutated(String text, RandomGenerator random) {
    StringBuilder mutated = new StringBuilder(text);
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      int at = random.nextInt(mutated.length());
      switch (random.nextInt(5)) {
        case 0 -> mutated.deleteCharAt(at);
        case 1 -> mutated.insert(at, (char) random.nextInt(0x3000));
        case 2 -> mutated.delete(at, Math.min(mutated.length(), at + 1 + random.nextInt(20)));
        case 3 -> replaceValue(mutated, at, random);
        default -> mutated.insert(at, SHREDS.get(random.nextInt(SHREDS.size())));
      }
    }
    return mutated.toString();
  }

  /** Puts a shred in the place of the rest of a line, or makes it a line of its own. */
  private static void replaceValue(StringBuilder text, int at, RandomGenerator random) {
    String shred = SHREDS.get(random.nextInt(SHREDS.size()));
    int colon = text.indexOf(": ", at);
    int end = colon < 0 ? -1 : text.indexOf("\n", colon);
    if (end < 0) {
      text.append(shred).append('\n');
    } else {
      text.replace(colon + 2, end, shred);
    }
  }
}
