package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.Finding;
import io.orrery.core.workload.Workspaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads experiments whose code lies in the workspaces of two people, ann and bob. */
class OwnWorkspaceTest {
  private static final String EXPERIMENT =
      """
      trialCommand: python3 t.py
      trialConcurrency: 1
      maxTrialNumber: 1
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      tuner: {name: Random, classArgs: {optimize_mode: maximize}}
      """;

  @TempDir Path temp;
  private Workspaces workspaces;

  @BeforeEach
  void directories() throws Exception {
    workspaces = Workspaces.in(temp.toRealPath());
    Files.createDirectories(workspaces.of("ann").resolve("orrery-code/deep"));
    Files.createDirectories(workspaces.of("bob").resolve("orrery-code"));
    Files.writeString(workspaces.of("ann").resolve("file"), "");
    Files.createSymbolicLink(workspaces.of("ann").resolve("link"), workspaces.of("bob"));
  }

  private SpecReading read(String user, String base, String text) {
    return new SpecReader(
            List.of("local", "remote", "hybrid"), Map.of(), () -> 1, it -> it, workspaces)
        .read(EXPERIMENT + text, base, user, path -> true);
  }

  private static String code(String directory) {
    return "trialCodeDirectory: %s\ntrainingService: {platform: local}\n".formatted(directory);
  }

  @Test
  void aDirectoryOfTheAuthorsWorkspaceStaysAsProgramsSeeIt() {
    for (String written :
        List.of("/mnt/ann/orrery-code/deep", "/mnt/ann/orrery-code/../orrery-code/deep/")) {
      SpecReading reading = read("ann", null, code(written));
      assertThat(reading.findings()).isEmpty();
      assertThat(Objects.requireNonNull(reading.spec()).job().codeDirectory())
          .isEqualTo("/mnt/ann/orrery-code/deep");
    }
    SpecReading relative = read("ann", "/mnt/ann/orrery-code", code("deep"));
    assertThat(Objects.requireNonNull(relative.spec()).job().codeDirectory())
        .isEqualTo("/mnt/ann/orrery-code/deep");
  }

  @ParameterizedTest
  @CsvSource({
    "ann, /mnt/bob/orrery-code, 'only your own can be named, /mnt/ann'",
    "ann, /mnt/carl/orrery-code, 'only your own can be named, /mnt/ann'",
    "'', /mnt/bob/orrery-code, only your own can be named",
    "ann, /mnt/ann/../bob/orrery-code, must stay below /mnt/ann",
    "ann, /mnt/ann/../../etc, must stay below /mnt/ann",
    "ann, /mnt/ann/link/orrery-code, 'without a link on the way'",
    "ann, /mnt/ann/link, without a link on the way",
    "ann, /mnt/ann/file, must be a directory of your workspace",
    "ann, /mnt/ann/missing, /mnt/ann/missing is not in your workspace",
  })
  void whatIsNotTheAuthorsIsRefusedWithTheReason(String user, String directory, String reason) {
    assertThat(read(user, null, code(directory)).findings())
        .isNotEmpty()
        .allSatisfy(finding -> {
          assertThat(finding.pointer()).isEqualTo("/trialCodeDirectory");
          assertThat(finding.message())
              .contains(reason)
              .doesNotContain(workspaces.root().toString());
        });
  }

  @Test
  void whatIsNoPathIsRefused() {
    assertThat(read("ann", null, code("\"/mnt/ann/a\\0b\"")).findings())
        .isNotEmpty()
        .allSatisfy(finding -> assertThat(finding.pointer()).isEqualTo("/trialCodeDirectory"));
  }

  @Test
  void trialsOfOtherPlatformsDoNotStartInAWorkspace() {
    List<Finding> findings =
        read(
                "ann",
                null,
                """
                trialCodeDirectory: /mnt/ann/orrery-code
                trainingService: {platform: remote, machineList: [{host: a, user: b, password: xyz}]}
                """)
            .findings();
    assertThat(findings)
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.pointer()).isEqualTo("/trialCodeDirectory");
          assertThat(finding.message())
              .contains("in which trials of the platform local start; for remote name");
        });
  }
}
