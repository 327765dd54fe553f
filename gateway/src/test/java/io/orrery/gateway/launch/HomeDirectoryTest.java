package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.auth.BearerToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeDirectoryTest {
  @TempDir Path temp;

  @Test
  void oneServerAtATimeAndTheMessageNamesTheOther() throws Exception {
    try (HomeDirectory first = HomeDirectory.open(temp)) {
      first.announce("http://127.0.0.1:8080", null);

      assertThatThrownBy(() -> HomeDirectory.open(temp))
          .hasMessageContaining("another server uses")
          .hasMessageContaining("http://127.0.0.1:8080")
          .hasMessageContaining("orrery down");
    }
    HomeDirectory.open(temp).close();
  }

  @Test
  void theAnnouncementAndTheSecretAreForTheirOwnerAlone() throws Exception {
    try (HomeDirectory home = HomeDirectory.open(temp)) {
      home.announce("http://127.0.0.1:8080", new BearerToken("shown to the owner"));
      Secret.of(home.path()).bytes();

      for (String file : new String[] {"server.json", "secret"}) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temp.resolve(file))))
            .isEqualTo("rw-------");
      }
    }
    assertThat(temp.resolve("server.json")).doesNotExist();
  }

  @Test
  void whatAKilledServerHadUnpackedIsGoneWithTheNextOne() throws Exception {
    try (HomeDirectory home = HomeDirectory.open(temp)) {
      Files.writeString(home.unpacked().resolve("lib.so"), "");
    }
    try (HomeDirectory home = HomeDirectory.open(temp)) {
      assertThat(home.unpacked()).isEmptyDirectory();
    }
  }

  @Test
  void theSecretStaysTheSameOverRestarts() throws Exception {
    byte[] before;
    try (HomeDirectory home = HomeDirectory.open(temp)) {
      before = Secret.of(home.path()).bytes();
    }
    try (HomeDirectory home = HomeDirectory.open(temp)) {
      assertThat(Secret.of(home.path()).bytes()).isEqualTo(before).hasSize(32);
    }
  }

  @Test
  void aDamagedSecretIsNamedWithWhatToDo() throws Exception {
    Files.write(temp.resolve("secret"), new byte[] {1, 2, 3});

    try (HomeDirectory home = HomeDirectory.open(temp)) {
      assertThatThrownBy(() -> Secret.of(home.path()))
          .hasMessageContaining(home.path().resolve("secret").toString())
          .hasMessageContaining("3 bytes instead of 32")
          .hasMessageContaining("delete it");
    }
  }

  @Test
  void aWrongConfigurationIsNamedWithFileAndLine() throws Exception {
    Files.writeString(temp.resolve("orrery.yml"), "http:\n  prt: 8080\n  host: 127.0.0.1\n");

    try (HomeDirectory home = HomeDirectory.open(temp)) {
      ConfigurationFile file = home.configuration();
      assertThatThrownBy(
              () -> file.placing(() -> ServerConfig.read(file.text(), Map.of(), Map.of())))
          .hasMessage(
              file.path() + ":2: /http/prt: there is no key http.prt (did you mean 'http.port'?)");
    }
  }
}
