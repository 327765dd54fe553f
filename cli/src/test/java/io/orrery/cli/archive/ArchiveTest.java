package io.orrery.cli.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.cli.client.CommandFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests zip files that others may have made. */
class ArchiveTest {
  private static final int CENTRAL_HEADER = 0x02014b50;

  /** Where a header of the directory tells how long an entry is unpacked. */
  private static final int SIZE = 24;

  /** And where its name begins, which records of other things follow. */
  private static final int NAME = 46;

  private static final short ZIP64 = 1;

  /** A record of nothing that is known. */
  private static final short PADDING = (short) 0xcafe;

  /** The longest that it can tell. */
  private static final long MOST = 0xfffffffeL;

  @TempDir Path folder;

  private Path saved;
  private Path code;

  @BeforeEach
  void save() throws IOException {
    Path source = Files.createDirectories(folder.resolve("source/deep"));
    Files.writeString(source.resolve("train.py"), "print('x')\n".repeat(1_000));
    saved = folder.resolve("saved.zip");
    Archive.write(saved, out -> out.write("{}".getBytes(UTF_8)), folder.resolve("source"));
    code = folder.resolve("code");
  }

  /** Has the directory of the file say that each entry is so long. */
  private void say(int size) throws IOException {
    byte[] bytes = Files.readAllBytes(saved);
    ByteBuffer zip = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < bytes.length - Integer.BYTES; at++) {
      if (zip.getInt(at) == CENTRAL_HEADER) {
        zip.putInt(at + SIZE, size);
      }
    }
    Files.write(saved, bytes);
  }

  private void extract() throws IOException {
    try (ZipFile zip = new ZipFile(saved.toFile())) {
      Archive.extractCode(zip, code);
    }
  }

  @Test
  void codeComesBackAsItWas() throws IOException {
    extract();

    assertThat(code.resolve("deep/train.py")).hasContent("print('x')\n".repeat(1_000));
  }

  @Test
  void moreThanTheDiskHasIsRefusedBeforeAnythingIsWritten() throws IOException {
    long room = Files.getFileStore(folder).getUsableSpace();
    for (long told = 0; told <= room; told += MOST) {
      Files.createFile(folder.resolve("source/" + told));
    }
    save();
    say((int) MOST);

    assertThatThrownBy(this::extract)
        .isInstanceOf(CommandFailure.class)
        .hasMessageContainingAll("saved.zip holds", "MB, and there is room for", code.toString());
    assertThat(code).isEmptyDirectory();
  }

  /** As a record of ZIP64 tells it, each says that it is as long as a number can be. */
  @Test
  void moreThanCanBeAddedUpIsRefusedBeforeAnythingIsWritten() throws IOException {
    ByteBuffer length = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    length.putShort(PADDING).putShort((short) Long.BYTES).putLong(Long.MAX_VALUE);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(saved))) {
      for (String name : List.of("code/one", "code/two")) {
        ZipEntry entry = new ZipEntry(name);
        entry.setExtra(length.array());
        zip.putNextEntry(entry);
        zip.closeEntry();
      }
    }
    byte[] bytes = Files.readAllBytes(saved);
    ByteBuffer zip = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < bytes.length - Integer.BYTES; at++) {
      if (zip.getInt(at) == CENTRAL_HEADER) {
        zip.putInt(at + SIZE, -1);
        zip.putShort(at + NAME + "code/one".length(), ZIP64);
      }
    }
    Files.write(saved, bytes);

    assertThatThrownBy(this::extract)
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("saved.zip holds");
    assertThat(code).isEmptyDirectory();
  }

  @Test
  void anEntryThatIsLongerThanItSaysIsRefused() throws IOException {
    say(10);

    assertThatThrownBy(this::extract)
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("saved.zip is damaged: 'code/deep/train.py' is longer than it says");
    assertThat(Files.size(code.resolve("deep/train.py"))).isLessThanOrEqualTo(10);
  }

  @Test
  void whatIsThereIsNotReplaced() throws IOException {
    Files.createDirectories(code.resolve("deep"));
    Files.writeString(code.resolve("deep/train.py"), "mine");

    assertThatThrownBy(this::extract).isInstanceOf(IOException.class);
    assertThat(code.resolve("deep/train.py")).hasContent("mine");
  }
}
