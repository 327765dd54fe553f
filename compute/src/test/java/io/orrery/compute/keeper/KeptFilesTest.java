package io.orrery.compute.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.keeper.Allowances.Allowance;
import io.orrery.compute.keeper.KeeperRegistry.Claim;
import io.orrery.core.bus.contract.TrialKeepers.Folder;
import io.orrery.core.bus.contract.TrialKeepers.FolderEntry;
import io.orrery.core.bus.contract.TrialKeepers.StoredFile;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.trial.ParameterRecord;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeptFilesTest {
  private static final TrialRef TRIAL = new TrialRef(new ExperimentId("exp"), new TrialId("trial"));

  private static final ParameterSet PARAMETERS =
      new ParameterSet(0, "1", ParameterSource.ALGORITHM, Parameters.EMPTY);

  @TempDir Path home;
  private final Allowance allowance = new Allowance(KeptLimits.DEFAULT, AttemptUsage.NOTHING);
  private KeptFiles files;

  @BeforeEach
  void begin() throws Exception {
    files = KeptFiles.of(home, new AttemptRef(TRIAL, 1));
    files.write(PARAMETERS);
  }

  @Test
  void parametersThatACrashLeftInPartOrNotAtAllAreWrittenAgain() throws IOException {
    String whole = ParameterRecord.of(PARAMETERS).toString();
    assertThat(files.parameters()).hasContent(whole);

    Files.writeString(files.parameters(), "{\"param");
    files.write(PARAMETERS);
    assertThat(files.parameters()).hasContent(whole);

    Files.write(files.parameters(), new byte[0]);
    assertThat(files.hasParameters()).isFalse();
    files.write(PARAMETERS);
    assertThat(files.parameters()).hasContent(whole);

    Files.delete(files.parameters());
    assertThat(files.hasParameters()).isFalse();
    files.write(PARAMETERS);
    assertThat(files.parameters()).hasContent(whole);
    assertThat(files.hasParameters()).isTrue();
  }

  @Test
  void aDirectoryIsNewOnce() throws IOException {
    KeptFiles second = KeptFiles.of(home, new AttemptRef(TRIAL, 2));
    KeptFiles elsewhere = KeptFiles.of(home.resolve("no/parents"), new AttemptRef(TRIAL, 1));

    assertThat(files.make()).as("there").isFalse();
    assertThat(second.make()).isTrue();
    assertThat(second.make()).isFalse();
    assertThat(elsewhere.make()).isTrue();
    assertThat(elsewhere.directory()).isDirectory();
    assertThat(elsewhere.make()).isFalse();
  }

  @Test
  void aStreamGoesOnWhereItEnds() throws Exception {
    assertThat(log(0, "abc")).isEqualTo(3);
    assertThat(log(0, "abc")).as("repeated").isEqualTo(3);
    assertThat(log(2, "cde")).as("overlapping").isEqualTo(5);
    assertThat(log(9, "z")).as("after a gap").isEqualTo(5);
    assertThat(files.directory().resolve("stdout")).hasContent("abcde");
    files.append("worker-1", false, Stream.STDOUT, 0, bytes("other"), allowance);
    assertThat(files.directory().resolve("roles/worker-1/stdout")).hasContent("other");
  }

  @Test
  void moreThanTheLimitIsNotKept() throws Exception {
    try (RandomAccessFile full =
        new RandomAccessFile(files.directory().resolve("stdout").toFile(), "rw")) {
      // With a hole in it, so that it costs no disk.
      full.setLength(KeptFiles.MOST_LOG);
    }
    assertThatThrownBy(() -> log(KeptFiles.MOST_LOG, "x")).hasMessageContaining("No more than");
    assertThatThrownBy(() ->
            files.append("main", true, "x", 0, KeptFiles.MOST_OUTPUT + 1, bytes("x"), allowance))
        .hasMessageContaining("at most");
    assertThatThrownBy(() -> files.append("main", true, "x", 0, 1, bytes("xy"), allowance))
        .hasMessageContaining("beyond its size");
  }

  @Test
  void aFileAppearsWhenItIsThereWhole() throws Exception {
    assertThat(output("a/b", 0, 4, "xy")).isEqualTo(2);
    assertThat(files.list().files()).extracting(StoredFile::path).containsExactly("parameter.cfg");
    assertThat(output("a/b", 2, 4, "zw")).isEqualTo(4);
    assertThat(output("a/b", 2, 4, "zw")).as("repeated").isEqualTo(4);

    assertThat(files.list().files())
        .containsExactly(
            new StoredFile("output/a/b", 4),
            new StoredFile("parameter.cfg", Files.size(files.parameters())));
    assertThat(files.read("output/a/b", 0, 100).bytes()).asString().isEqualTo("xyzw");
    assertThat(output("empty", 0, 0, "")).isZero();
    assertThat(files.read("output/empty", 0, 100).bytes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "../x", "a/../../x", "/x", "a//b", "a/", "a/./b", "a\0b"})
  void noPathLeadsOut(String path) {
    assertThatThrownBy(() -> output(path, 0, 1, "x")).hasMessageContaining("path");
    assertThatThrownBy(() -> files.read(path, 0, 100)).hasMessageContaining("path");
  }

  @Test
  void whatIsOursIsNotShown() throws Exception {
    files.register().claim("main", new Claim("a", true, Instant.EPOCH), allowance);
    KeptFiles second = KeptFiles.of(home, new AttemptRef(TRIAL, 2));
    second.write(PARAMETERS);
    Files.createSymbolicLink(files.directory().resolve("link"), Path.of("/etc/passwd"));
    Files.createSymbolicLink(files.directory().resolve("folder"), Path.of("/etc"));

    assertThat(files.list().files()).extracting(StoredFile::path).containsExactly("parameter.cfg");
    for (String path :
        new String[] {
          ".nni/keepers/main.json", "attempt-2/parameter.cfg", "link", "folder/passwd", "none"
        }) {
      assertThatThrownBy(() -> files.read(path, 0, 100)).hasMessageContaining("left no file");
    }
    assertThat(KeptFiles.of(home, TRIAL, null)).as("the last attempt").isEqualTo(second);
    assertThat(KeptFiles.of(home, TRIAL, 1)).isEqualTo(files);
  }

  @Test
  void aDirectoryIsListedByPagesWithoutWhatIsOursOrLeadsElsewhere() throws Exception {
    files.register().claim("main", new Claim("a", true, Instant.EPOCH), allowance);
    KeptFiles.of(home, new AttemptRef(TRIAL, 2)).write(PARAMETERS);
    Path many = Files.createDirectories(files.directory().resolve("many"));
    for (String name : List.of("c", "a", "e", "b")) {
      Files.writeString(many.resolve(name), name);
    }
    Files.createSymbolicLink(many.resolve("d"), Path.of("/etc/passwd"));
    Files.createSymbolicLink(files.directory().resolve("elsewhere"), Path.of("/etc"));

    assertThat(files.folder("", null, 10))
        .isEqualTo(
            new Folder(
                List.of(
                    new FolderEntry("many", true, 0),
                    new FolderEntry("parameter.cfg", false, Files.size(files.parameters()))),
                null));
    Folder first = files.folder("many", null, 3);
    assertThat(first.entries()).extracting(FolderEntry::name).containsExactly("a", "b", "c");
    assertThat(first.next()).isEqualTo("c");
    Folder second = files.folder("many", first.next(), 3);
    assertThat(second.entries()).containsExactly(new FolderEntry("e", false, 1));
    assertThat(second.next()).isNull();
    for (String path : List.of("elsewhere", "none", "parameter.cfg", ".nni", "attempt-2")) {
      assertThatThrownBy(() -> files.folder(path, null, 3)).hasMessageContaining("left no file");
    }
    assertThatThrownBy(() -> files.folder("many/../..", null, 3)).hasMessageContaining("path");
  }

  private long log(long offset, String text) throws Exception {
    return files.append("main", true, Stream.STDOUT, offset, bytes(text), allowance);
  }

  private long output(String path, long offset, long size, String text) throws Exception {
    return files.append("main", true, path, offset, size, bytes(text), allowance);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
