package io.orrery.compute.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretBoxTest {
  @TempDir Path home;
  private SecretBox box;

  @BeforeEach
  void open() {
    box = new SecretBox(home, Map.of("LAB", "from the environment"));
  }

  @Test
  void whatIsSealedShowsNothingAndIsOpenedByItsHome() throws IOException {
    String sealed = box.seal("open sesame");

    assertThat(sealed).startsWith(SecretBox.SEALED).doesNotContain("sesame");
    assertThat(new SecretBox(home, Map.of()).open(sealed, "/password")).isEqualTo("open sesame");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(home.resolve("secrets.key"))))
        .isEqualTo("rw-------");
  }

  @Test
  void equalSecretsHaveEqualSeals() {
    assertThat(box.seal("a")).isEqualTo(box.seal("a")).isNotEqualTo(box.seal("b"));
    assertThat(box.seal(box.seal("a"))).isEqualTo(box.seal("a"));
  }

  @Test
  void anotherHomeOpensNothing(@TempDir Path other) {
    String sealed = box.seal("open sesame");
    SecretBox stranger = new SecretBox(other, Map.of());
    assertThat(stranger.seal("x")).startsWith(SecretBox.SEALED);

    assertThatThrownBy(() -> stranger.open(sealed, "/password"))
        .hasMessageContaining("/password")
        .hasMessageContaining("given again");
    assertThatThrownBy(() -> box.open("sealed:!", "/password")).hasMessageContaining("given again");
    assertThatThrownBy(() -> box.open("sealed:AAAA", "/password"))
        .hasMessageContaining("given again");
  }

  @Test
  void referencesStayAsTheyAreAndAreLookedUpEachTime() throws IOException {
    Path file = Files.writeString(home.resolve("password"), "first\n");

    assertThat(box.seal("env:LAB")).isEqualTo("env:LAB");
    assertThat(box.open("env:LAB", "/p")).isEqualTo("from the environment");
    assertThat(box.open("file:" + file, "/p")).isEqualTo("first");
    Files.writeString(file, "second");
    assertThat(box.open("file:" + file, "/p")).isEqualTo("second");
  }

  @Test
  void aFileBelowTheUsersHomeIsWhereTheVariableSays(@TempDir Path user) throws IOException {
    Files.writeString(user.resolve("password"), "of the user\n");
    SecretBox theirs = new SecretBox(home, Map.of("HOME", user.toString()));

    assertThat(theirs.open("file:~/password", "/p")).isEqualTo("of the user");
  }

  @Test
  void aReferenceThatLeadsNowhereIsNamed() {
    assertThatThrownBy(() -> box.open("env:MISSING", "/p"))
        .hasMessageContaining("variable MISSING")
        .hasMessageContaining("not set");
    assertThatThrownBy(() -> box.open("file:" + home.resolve("none"), "/p"))
        .hasMessageContaining("cannot be read");
    assertThatThrownBy(() -> box.open("file:relative", "/p")).hasMessageContaining("absolute");
  }
}
