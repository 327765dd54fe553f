package io.orrery.compute.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostKeysTest {
  @TempDir Path directory;
  private Path users;
  private HostKeys hosts;
  private PublicKey key;
  private PublicKey other;

  @BeforeEach
  void open() throws Exception {
    users = Files.createFile(directory.resolve("known_hosts"));
    hosts = new HostKeys(directory.resolve("own/known_hosts"), directory);
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    key = generator.generateKeyPair().getPublic();
    other = generator.generateKeyPair().getPublic();
  }

  private Login login(String host, int port, boolean trust) {
    return new Login(host, port, "me", null, null, null, null, users, trust);
  }

  private void write(String line) throws IOException {
    Files.writeString(users, line + "\n");
  }

  @Test
  void aKnownKeyIsTrustedByNameAndPort() throws IOException {
    write("gpu1,10.0.0.7 " + PublicKeyEntry.toString(key));

    assertThat(hosts.objection(login("gpu1", 22, false), key)).isNull();
    assertThat(hosts.objection(login("10.0.0.7", 22, false), key)).isNull();
    assertThat(hosts.objection(login("gpu2", 22, false), key)).contains("is not known");
    assertThat(hosts.objection(login("gpu1", 2222, false), key))
        .contains("ssh-keyscan -p 2222 gpu1");
    write("[gpu1]:2222 " + PublicKeyEntry.toString(key));
    assertThat(hosts.objection(login("gpu1", 2222, false), key)).isNull();
    assertThat(hosts.objection(login("gpu1", 22, false), key)).contains("is not known");
  }

  @Test
  void aKeyThatHasChangedIsNeverTrusted() throws IOException {
    write("gpu1 " + PublicKeyEntry.toString(other));

    assertThat(hosts.objection(login("gpu1", 22, true), key))
        .contains("has another one")
        .contains(users.toString())
        .contains("SHA256:");
  }

  @Test
  void aRevokedKeyIsNeverTrusted() throws IOException {
    write("gpu1 " + PublicKeyEntry.toString(key) + "\n@revoked * " + PublicKeyEntry.toString(key));

    assertThat(hosts.objection(login("gpu1", 22, true), key)).contains("is revoked");
  }

  @Test
  void anUnknownMachineIsRememberedWhenThatWasAskedFor() throws IOException {
    assertThat(hosts.objection(login("gpu1", 2222, true), key)).isNull();

    assertThat(directory.resolve("own/known_hosts")).content().startsWith("[gpu1]:2222 ecdsa-");
    assertThat(users).isEmptyFile();
    assertThat(hosts.objection(login("gpu1", 2222, false), key)).isNull();
    assertThat(hosts.objection(login("gpu1", 2222, true), other)).contains("has another one");
    assertThat(hosts.types(login("gpu1", 2222, false))).containsExactly("ecdsa-sha2-nistp256");
  }

  @Test
  void linesOfNoUseAreNoProof() throws IOException {
    write("# a comment\n\ngpu1 ssh-new AAAA\ngpu1 " + PublicKeyEntry.toString(key));

    assertThat(hosts.objection(login("gpu1", 22, false), key)).isNull();
  }

  @Test
  void withoutAFileTheOneOfTheUserIsLookedAt() throws IOException {
    Login plain = new Login("gpu1", 22, "me", null, null, null, null, null, false);
    assertThat(hosts.objection(plain, key)).contains(directory + "/.ssh/known_hosts");

    Files.createDirectory(directory.resolve(".ssh"));
    Files.writeString(
        directory.resolve(".ssh/known_hosts"), "gpu1 " + PublicKeyEntry.toString(key) + "\n");

    assertThat(hosts.objection(plain, key)).isNull();
  }
}
