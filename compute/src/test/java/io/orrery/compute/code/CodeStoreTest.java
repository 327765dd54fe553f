package io.orrery.compute.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.service.Keepers.Code;
import io.orrery.core.bus.contract.TrialKeepers.Piece;
import io.orrery.core.code.CodeLimits;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Finding;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodeStoreTest {
  private static final ExperimentId ONE = new ExperimentId("one");
  private static final ExperimentId OTHER = new ExperimentId("other");

  @TempDir Path directory;
  private Path code;
  private CodeStore store;

  @BeforeEach
  void begin() throws IOException {
    code = Files.createDirectory(directory.resolve("code"));
    store = new CodeStore(home(), new CodeLimits(20, 10_000));
  }

  private Path home() {
    return directory.resolve("home");
  }

  private void write(String path, String content) throws IOException {
    Path file = code.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  @Test
  void whatIsPackedIsWhatWasThere() throws Exception {
    write("train.py", "print(1)");
    write("run.sh", "#!/bin/sh");
    Files.setPosixFilePermissions(
        code.resolve("run.sh"), PosixFilePermissions.fromString("rwx------"));
    write("a directory/é", "x");
    write("x".repeat(120) + "/" + "y".repeat(120), "long");
    write("secret/key", "x");
    write(".nniignore", "secret/\n");
    Files.createSymbolicLink(code.resolve("link"), Path.of("a directory/é"));

    Code packed = store.pack(ONE, code);

    assertThat(unpacked(packed))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                ".nniignore",
                "644 secret/\n",
                "a directory/",
                "755 ",
                "a directory/é",
                "644 x",
                "link",
                "755 -> a directory/é",
                "run.sh",
                "755 #!/bin/sh",
                "train.py",
                "644 print(1)",
                "x".repeat(120) + "/",
                "755 ",
                "x".repeat(120) + "/" + "y".repeat(120),
                "644 long"));
    assertThat(packed.entries()).isEqualTo(8);
  }

  @Test
  void equalContentIsPackedOnce() throws Exception {
    write("a", "x");
    Code first = store.pack(ONE, code);
    Files.setLastModifiedTime(code.resolve("a"), FileTime.fromMillis(1_000));
    Path archive = home().resolve("code").resolve(first.digest()).resolve("code.tar.gz");
    FileTime written = Files.getLastModifiedTime(archive);

    Code second = store.pack(OTHER, code);

    assertThat(second).isEqualTo(first);
    assertThat(Files.getLastModifiedTime(archive)).isEqualTo(written);
    assertThat(shelves()).containsExactly(first.digest());
  }

  @Test
  void anExperimentKeepsWhatItGotFirst() throws Exception {
    write("a", "x");
    Code first = store.pack(ONE, code);
    write("a", "y");

    assertThat(new CodeStore(home(), CodeLimits.DEFAULT).pack(ONE, code)).isEqualTo(first);
    assertThat(store.pack(OTHER, code).digest()).isNotEqualTo(first.digest());
  }

  /** F1: later attempts need code to start at all. */
  @Test
  void codeThatWasRemovedOrCutIsPackedAsItIsNow() throws Exception {
    write("a", "x");
    Code first = store.pack(ONE, code);
    Path archive = home().resolve("code").resolve(first.digest()).resolve("code.tar.gz");

    Files.delete(archive);
    assertThat(unpacked(store.pack(ONE, code))).containsEntry("a", "644 x");
    Files.write(archive, new byte[1]);
    assertThat(unpacked(store.pack(ONE, code))).containsEntry("a", "644 x");
    write("a", "y");
    Files.delete(archive);
    assertThat(unpacked(store.pack(ONE, code))).containsEntry("a", "644 y");
  }

  @Test
  void linksThatLeadOutAreNoticed() throws Exception { // F7
    write("sub/a", "x");
    Files.createSymbolicLink(code.resolve("sub/within"), Path.of("a"));
    assertThat(store.notices(code)).isEmpty();
    for (int i = 0; i < 7; i++) {
      Files.createSymbolicLink(code.resolve("sub/out" + i), Path.of("../../data" + i));
    }
    assertThat(store.notices(code))
        .singleElement()
        .asString()
        .contains("sub/out0 -> ../../data0")
        .endsWith(", and 2 more.");
  }

  @Test
  void anExperimentReadsItsOwnCodeOnly() throws Exception {
    write("a", "x");
    Code packed = store.pack(ONE, code);

    assertThatThrownBy(() -> store.read(OTHER, packed.digest(), 0, 100))
        .hasMessageContaining("has no code");
    assertThatThrownBy(() -> store.read(ONE, "../../../etc/passwd", 0, 100))
        .hasMessageContaining("has no code");
  }

  @Test
  void codeThatIsNotNeededIsDeleted() throws Exception {
    write("a", "x");
    Code packed = store.pack(ONE, code);
    store.pack(OTHER, code);

    store.release(ONE);
    assertThat(store.read(OTHER, packed.digest(), 0, 100).size()).isEqualTo(packed.bytes());
    store.release(OTHER);
    store.release(OTHER);

    assertThat(shelves()).isEmpty();
  }

  @Test
  void tooManyFilesAreRefusedNamingWhereTheyAre() throws Exception {
    for (int i = 0; i < 30; i++) {
      write("src/deps/node_modules/" + i, "");
    }
    write("train.py", "");

    List<Finding> findings = store.check("/trialCodeDirectory", code);

    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().text())
        .contains("/trialCodeDirectory", "34 files", "20 are allowed")
        .contains("src/deps/node_modules (30)", ".nniignore");
    assertThatThrownBy(() -> store.pack(ONE, code)).hasMessageContaining("node_modules");
    assertThat(home()).as("nothing was made").doesNotExist();
    write(".nniignore", "node_modules\n");
    assertThat(store.check("/trialCodeDirectory", code)).isEmpty();
  }

  @Test
  void tooManyBytesAreRefusedNamingTheLargestFiles() throws Exception {
    write("data/big.bin", "x".repeat(9_000));
    write("data/small.bin", "x".repeat(2_000));

    assertThat(store.check("/trialCodeDirectory", code))
        .singleElement()
        .satisfies(finding ->
            assertThat(finding.text()).contains("11 KB", "10 KB", "data/big.bin (9 KB)"));
  }

  /** F7: it may lead to a mount that all machines have. */
  @Test
  void aLinkThatLeadsOutIsShipped() throws Exception {
    write("in/a", "x");
    Files.createSymbolicLink(code.resolve("in/out"), Path.of("../../code/in/a"));
    Files.createSymbolicLink(code.resolve("absolute"), Path.of("/etc"));

    assertThat(store.check("/x", code)).isEmpty();
    assertThat(store.pack(ONE, code).entries()).isEqualTo(4);
  }

  /** F7: names are bytes, and Java has no text for these. */
  @Test
  void aNameThatIsNotUtf8IsRefusedWithItsBytesUnlessItIsIgnored() throws Exception {
    write("in/a", "x");
    String script = "import os; open(os.fsencode(%r) + b'/in/caf' + bytes([0xe9]), 'w')";
    assertThat(
            new ProcessBuilder("python3", "-c", script.replace("%r", "'" + code + "'"))
                .inheritIO()
                .start()
                .waitFor())
        .isZero();

    assertThat(store.check("/x", code))
        .singleElement()
        .satisfies(finding -> assertThat(finding.text()).contains("not UTF-8", "in/caf%E9"));
    assertThatThrownBy(() -> store.pack(ONE, code)).hasMessageContaining("not UTF-8");
    write(".nniignore", "caf*\n");
    assertThat(store.check("/x", code)).isEmpty();
  }

  @Test
  void aMissingDirectoryIsNamed() {
    assertThat(store.check("/x", code.resolve("none")))
        .singleElement()
        .satisfies(finding -> assertThat(finding.text()).contains("no directory"));
  }

  private List<String> shelves() throws IOException {
    try (Stream<Path> shelves = Files.list(home().resolve("code"))) {
      return shelves.map(shelf -> shelf.getFileName().toString()).toList();
    }
  }

  /** Mode and content by name. */
  private Map<String, String> unpacked(Code packed) throws IOException {
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    long offset = 0;
    while (offset < packed.bytes()) {
      Piece piece = store.read(ONE, packed.digest(), offset, 100);
      archive.write(piece.bytes());
      offset = piece.next();
    }
    Map<String, String> entries = new TreeMap<>();
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(
            new GZIPInputStream(new ByteArrayInputStream(archive.toByteArray())), "UTF-8")) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        String content =
            entry.isSymbolicLink()
                ? "-> " + entry.getLinkName()
                : new String(tar.readAllBytes(), StandardCharsets.UTF_8);
        entries.put(entry.getName(), Integer.toOctalString(entry.getMode() & 0777) + " " + content);
      }
    }
    return entries;
  }
}
