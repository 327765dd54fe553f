package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how a server starts, and what it says when it cannot. */
class StartIT {
  @TempDir Path temp;
  private Path home;

  @BeforeEach
  void placeHome() throws IOException {
    home = temp.toRealPath().resolve("home");
  }

  private record Outcome(int code, String said) {}

  @Test
  void aHomeThatADetachedServerMakesIsForItsOwnerAlone() throws Exception {
    Outcome up = orrery("up", "--detach", "--port", "0", "--router-port", "off");
    try {
      assertThat(up.code()).as(up.said()).isZero();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
          .isEqualTo("rwx------");
    } finally {
      orrery("down");
    }
  }

  @Test
  void aStartSaysOnASecondLineWhereOthersReachTheServer() throws Exception {
    Files.createDirectories(home);
    Files.writeString(
        home.resolve("orrery.yml"), "http: {advertiseUrl: 'https://tune.example:8443'}\n");
    try (ServerProcess server = ServerProcess.start(home)) {
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() ->
              assertThat(server.log().lines())
                  .containsSubsequence(
                      "Orrery is ready at " + server.url(),
                      "others reach it at https://tune.example:8443"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConfigurationThatIsNotThereIsNamedAndTheExitCodeIs2(boolean detached) throws Exception {
    Outcome up =
        detached
            ? orrery("up", "--detach", "--port", "0", "--config", "/nope.yml")
            : orrery("up", "--port", "0", "--config", "/nope.yml");

    assertThat(up.code()).as(up.said()).isEqualTo(2);
    assertThat(up.said())
        .contains("the configuration /nope.yml cannot be read: /nope.yml does not exist")
        .doesNotContain("Exception");
  }

  @Test
  void aRefusedConfigurationIsNamedWithItsLine() throws Exception {
    Path file = Files.writeString(temp.resolve("wrong.yml"), "http:\n  port: many\n  hots: x\n");

    Outcome up = orrery("up", "--detach", "--config", file.toString());

    assertThat(up.code()).as(up.said()).isEqualTo(2);
    assertThat(up.said()).contains(file + ":2: /http/port", file + ":3: /http/hots");
  }

  @Test
  void aHomeThatCannotBeMadeIsNamed() throws Exception {
    Files.writeString(home, "a file");

    Outcome up = orrery("up", "--port", "0");

    assertThat(up.code()).as(up.said()).isEqualTo(1);
    assertThat(up.said())
        .contains("cannot use the home " + home, "--home")
        .doesNotContain("Exception");
  }

  @Test
  void aBusyPortNamesWhoHoldsItAndAWayOut() throws Exception {
    try (ServerSocket held = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Outcome up = orrery("up", "--port", Integer.toString(held.getLocalPort()));

      assertThat(up.code()).as(up.said()).isEqualTo(1);
      assertThat(up.said())
          .contains(
              "port " + held.getLocalPort() + " is taken",
              "by process " + ProcessHandle.current().pid(),
              "--port 0");
    }
  }

  private Outcome orrery(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(ServerProcess.command(arguments));
    builder.environment().put("ORRERY_HOME", home.toString());
    builder.environment().remove("ORRERY_URL");
    builder.redirectInput(Path.of("/dev/null").toFile()).redirectErrorStream(true);
    Path said = temp.resolve("said");
    builder.redirectOutput(said.toFile());
    Process process = builder.start();
    int code = process.waitFor();
    return new Outcome(code, Files.readString(said, StandardCharsets.UTF_8));
  }
}
