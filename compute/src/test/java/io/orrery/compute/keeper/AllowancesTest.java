package io.orrery.compute.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.orrery.compute.keeper.Allowances.Allowance;
import io.orrery.compute.keeper.KeeperRegistry.Claim;
import io.orrery.compute.keeper.KeeperRegistry.End;
import io.orrery.core.bus.contract.TrialKeepers.StoredFile;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllowancesTest {
  private static final KeptLimits LIMITS = new KeptLimits(10, 20);
  private static final ExperimentId EXPERIMENT = new ExperimentId("exp");
  private static final AttemptRef ATTEMPT =
      new AttemptRef(new TrialRef(EXPERIMENT, new TrialId("trial")), 1);

  @TempDir Path home;
  private Allowances allowances = new Allowances(LIMITS);
  private KeptFiles files;

  @BeforeEach
  void begin() throws IOException {
    files = KeptFiles.of(home, ATTEMPT);
    files.write(new ParameterSet(0, "1", ParameterSource.ALGORITHM, Parameters.EMPTY));
  }

  @Test
  void theLogsOfAllKeepersHaveOneLimit() throws Exception {
    assertThat(log("main", 0, "12345")).isEqualTo(5);
    assertThat(log("main", 0, "12345")).as("repeated").isEqualTo(5);
    assertThat(log("worker-0", 0, "1234")).isEqualTo(4);

    assertTooLarge("logs", () -> log("worker-1", 0, "12"));
    assertThat(files.directory().resolve("roles/worker-1")).doesNotExist();
    assertTooLarge("logs", () -> line("1"));
    assertThat(log("main", 4, "56")).as("what fits is taken still").isEqualTo(6);
    assertThat(log("main", 0, "123456")).as("what is there, at the limit").isEqualTo(6);
    assertThat(files.directory().resolve("stdout")).hasContent("123456");
  }

  @Test
  void aFileThatCannotBecomeWholeIsRefusedWithItsFirstBytes() throws Exception {
    assertThat(output("a", 0, 12, "123456")).isEqualTo(6);
    assertThat(output("a", 0, 12, "123456")).as("repeated").isEqualTo(6);

    assertTooLarge("files", () -> output("deep/b", 0, 15, "1"));
    assertThat(files.directory().resolve(".nni/incoming/main/deep")).doesNotExist();
    assertThat(output("a", 6, 12, "789012")).isEqualTo(12);
    assertThat(output("a", 6, 12, "789012")).as("repeated").isEqualTo(12);
    assertThat(output("b", 0, 8, "12345678")).isEqualTo(8);
    assertThat(output("b", 0, 8, "12345678")).as("repeated, at the limit").isEqualTo(8);
    assertTooLarge("files", () -> output("c", 0, 1, "1"));
    assertThat(output("c", 0, 0, "")).isZero();
    assertThat(files.list().files())
        .extracting(StoredFile::path, StoredFile::bytes)
        .contains(tuple("output/a", 12L), tuple("output/b", 8L), tuple("output/c", 0L))
        .hasSize(4);
  }

  @Test
  void whatIsOnTheDiskCountsForTheNextServer() throws Exception {
    log("main", 0, "123456");
    log("worker-0", 0, "1234");
    output("a", 0, 12, "123456789012");
    output("b", 0, 8, "1234567");
    KeptFiles second = KeptFiles.of(home, new AttemptRef(ATTEMPT.trial(), 2));
    Files.createDirectories(second.directory());
    Files.writeString(second.directory().resolve("stdout"), "of another attempt");

    allowances = new Allowances(LIMITS);

    assertTooLarge("logs", () -> log("main", 6, "7"));
    assertTooLarge("files", () -> output("c", 0, 2, "1"));
    assertThat(output("b", 7, 8, "8")).as("what was begun").isEqualTo(8);
  }

  @Test
  void whatAnotherServerHasAddedCountsOnceItIsCountedAgain() throws Exception {
    log("main", 0, "1");
    Files.writeString(files.directory().resolve("stderr"), "123456789");

    allowances.forget(EXPERIMENT);

    assertTooLarge("logs", () -> log("main", 1, "2"));
  }

  @Test
  void whatADiskTookInPartIsCountedAgain() throws Exception {
    log("main", 0, "1");
    assertThatThrownBy(() ->
            allowances.add(
                ATTEMPT,
                files,
                (there, allowance) -> {
                  Files.writeString(there.directory().resolve("stderr"), "123456789");
                  throw new IOException("no space left on device");
                }))
        .isInstanceOf(IOException.class);

    assertTooLarge("logs", () -> log("main", 1, "2"));
  }

  @Test
  void whatIsKeptUpIsWhatTheDiskSays() throws Exception {
    allowances = new Allowances(KeptLimits.DEFAULT);
    claim("main");
    claim("worker-0");
    claim("worker-0");
    files.register().cancel();
    files.register().end("worker-0", new End("i", 0, null, Instant.EPOCH));
    log("main", 0, "12345");
    log("worker-0", 0, "123");
    line("a line");
    output("deep/down/a", 0, 3, "12");
    output("deep/down/a", 0, 3, "12");
    output("deep/down/a", 2, 3, "3");
    output("deep/down/a", 2, 3, "3");
    output("deep/b", 0, 2, "12");
    output("deep/b", 0, 4, "12");
    output("deep/b", 2, 4, "34");
    output("stdout", 0, 4, "1234");
    allowances.add(
        ATTEMPT,
        files,
        (there, mine) -> there.append("worker-0", false, "x/y", 0, 2, bytes("1"), mine));

    AttemptUsage counted = AttemptUsage.of(files);
    AttemptUsage keptUp = allowances.add(ATTEMPT, files, (there, mine) -> mine.kept());
    assertThat(keptUp).isEqualTo(counted);
    assertThat(counted)
        .extracting(AttemptUsage::keepers, AttemptUsage::logs, AttemptUsage::outputs)
        .containsExactly(2, 15L, 12L);
  }

  @Test
  void theLastKeepersThatAnAttemptMayHaveComeAgain() throws Exception {
    Files.createDirectories(files.register().keepers());
    for (int i = 1; i < Allowances.MOST_KEEPERS; i++) {
      Files.createFile(files.register().keepers().resolve("worker-" + i + ".json"));
    }
    claim("main");

    assertTooLarge("10,000 keepers", () -> claim("another"));
    assertThat(claim("main")).isNotNull();
    assertThat(files.register().claimOf("another")).isNull();
  }

  @Test
  void noMoreFilesAndDirectoriesAreMadeThanAllowed() throws Exception {
    AttemptUsage nearlyAll = new AttemptUsage(0, 0, 0, Allowances.MOST_ENTRIES - 4);
    Allowance allowance = new Allowance(KeptLimits.DEFAULT, nearlyAll);

    assertTooLarge(
        "100,000 files", () -> files.append("main", true, "a/b/c", 0, 1, bytes("1"), allowance));
    assertThat(files.directory()).isDirectoryNotContaining("glob:**/{.nni,output}");
  }

  private Claim claim(String keeper) throws IOException {
    Claim claim = new Claim("i", keeper.equals("main"), Instant.EPOCH);
    return allowances.add(
        ATTEMPT, files, (there, mine) -> there.register().claim(keeper, claim, mine));
  }

  private long log(String keeper, long offset, String text) throws IOException {
    boolean primary = keeper.equals("main");
    return allowances.add(
        ATTEMPT,
        files,
        (there, mine) -> there.append(keeper, primary, Stream.STDOUT, offset, bytes(text), mine));
  }

  private boolean line(String text) throws IOException {
    return allowances.add(
        ATTEMPT,
        files,
        (there, mine) -> {
          there.append(Stream.STDERR, text, mine);
          return true;
        });
  }

  private long output(String path, long offset, long size, String text) throws IOException {
    return allowances.add(
        ATTEMPT,
        files,
        (there, mine) -> there.append("main", true, path, offset, size, bytes(text), mine));
  }

  private static void assertTooLarge(String what, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused ->
                assertThat(refused.problem())
                    .isInstanceOfSatisfying(
                        Problem.TooLarge.class,
                        problem -> assertThat(problem.detail()).contains(what)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
