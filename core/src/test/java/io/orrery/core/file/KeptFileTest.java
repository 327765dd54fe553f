package io.orrery.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a small file that is missing or is not what was written is never taken for none (F1).
 */
class KeptFileTest {
  @TempDir Path home;
  private Path file;
  private Path digests;

  @BeforeEach
  void aFileThatWasReplaced() throws Exception {
    file = home.resolve("routes.json");
    digests = home.resolve("routes.json.sha256");
    assertThat(KeptFile.read(file)).as("there never was one").isEmpty();
    KeptFile.write(file, bytes("one"));
    KeptFile.write(file, bytes("two"));
  }

  @Test
  void whatWasWrittenLastIsRead() throws Exception {
    assertThat(KeptFile.read(file)).hasValue(bytes("two"));
  }

  @Test
  void anotherContentOrNoneIsNamedWithWhatToDo() throws Exception {
    for (String content : new String[] {"twp", "tw", "", "one"}) {
      Files.writeString(file, content);
      assertThatThrownBy(() -> KeptFile.read(file))
          .hasMessageContaining(file + " is not what was written")
          .hasMessageContaining("delete " + digests);
    }
    Files.delete(file);
    assertThatThrownBy(() -> KeptFile.read(file)).hasMessageContaining(file + " is missing");
    Files.delete(digests);
    assertThat(KeptFile.read(file)).as("given up").isEmpty();
  }

  @Test
  void aFileWithoutDigestsIsTakenAsItIs() throws Exception {
    Files.delete(digests);
    assertThat(KeptFile.read(file)).hasValue(bytes("two"));
    KeptFile.adopt(file, bytes("two"));
    Files.writeString(digests, "nonsense");
    assertThatThrownBy(() -> KeptFile.read(file)).hasMessageContaining(digests.toString());
  }

  @Test
  void aFileThatIsRemovedWithItsDigestsIsMissedInAHome() throws Exception {
    HomeList list = new HomeList(home);
    list.note(List.of("orrery.db"));
    assertThat(list.names()).as("what was there before the list").contains("routes.json");
    Path later = home.resolve("ports.json");
    KeptFile.write(later, bytes("{}"));

    for (Path each : List.of(file, later)) {
      Files.delete(each);
      Files.delete(each.resolveSibling(each.getFileName() + ".sha256"));
      assertThatThrownBy(() -> KeptFile.read(each))
          .hasMessageContaining(each + " is missing")
          .hasMessageContaining("delete " + list.file());
    }
    Files.delete(list.file());
    Files.delete(home.resolve("home.json.sha256"));
    assertThat(KeptFile.read(file)).as("given up").isEmpty();
  }

  @Test
  void aFileThatIsNoMoreNeededIsNotMissed() throws Exception {
    new HomeList(home).note(List.of());
    KeptFile.delete(file);
    assertThat(KeptFile.read(file)).isEmpty();
    assertThat(new HomeList(home).names()).isEmpty();
  }

  /** A crash between any two of the three writes. */
  @Test
  void aCrashWhileItIsReplacedIsNoDamage() throws Exception {
    byte[] before = Files.readAllBytes(digests);
    KeptFile.write(file, bytes("three"));
    String both = new String(before, StandardCharsets.UTF_8) + Files.readString(digests);
    Files.writeString(digests, both);
    assertThat(KeptFile.read(file)).hasValue(bytes("three"));
    Files.writeString(file, "two");
    assertThat(KeptFile.read(file)).hasValue(bytes("two"));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
