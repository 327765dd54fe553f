package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.process.PersonLimits;
import io.orrery.core.process.ProgramLimits;
import io.orrery.gateway.launch.UserKeys.Mode;
import io.orrery.gateway.launch.UserKeys.SandboxChoice;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SandboxSetupTest {
  /** The choice of a configuration that says nothing. */
  static final SandboxChoice UNSAID =
      new SandboxChoice(
          null,
          List.of(),
          List.of(),
          new ProgramLimits(4_096, 16_384, 102_400L << 20),
          new PersonLimits(16_384, Long.MAX_VALUE));

  @Test
  void programsOfPeopleAreKeptApartAsTheOperatorSays() {
    ServerConfig none = ServerConfig.read("auth: {users: true, sandbox: none}", Map.of(), Map.of());
    assertThat(none.users()).isTrue();
    assertThat(none.sandbox().mode()).isEqualTo(Mode.NONE);
    assertThat(ServerConfig.read("auth: {users: true}", Map.of(), Map.of()).sandbox().mode())
        .isNull();
    assertThat(
            ServerConfig.read(
                    "auth: {sandbox: bwrap, sandboxRead: '/data:/home/a', sandboxWrite: /scratch,"
                        + " programProcesses: 100, programFiles: 200, personProcesses: 300,"
                        + " personMemory: 4G}\n"
                        + "workspaces: {megabytes: 300}",
                    Map.of(),
                    Map.of())
                .sandbox())
        .isEqualTo(
            new SandboxChoice(
                Mode.BWRAP,
                List.of(Path.of("/data"), Path.of("/home/a")),
                List.of(Path.of("/scratch")),
                new ProgramLimits(100, 200, 300L << 20),
                new PersonLimits(300, 4L << 30)));
    for (String wrong : List.of("much", "1K", "[1]", "99999999999G")) {
      assertThatThrownBy(
              () -> ServerConfig.read("auth: {personMemory: '" + wrong + "'}", Map.of(), Map.of()))
          .hasMessageContaining("an amount such as 512M or 64G, from 1M");
    }
    assertThatThrownBy(() -> ServerConfig.read("auth: {sandbox: docker}", Map.of(), Map.of()))
        .hasMessageContaining("it is bwrap or none");
    assertThatThrownBy(() -> ServerConfig.read("auth: {sandboxRead: data}", Map.of(), Map.of()))
        .hasMessageContaining("'data' is no absolute path");
    assertThatThrownBy(() -> ServerConfig.read("auth: {users: perhaps}", Map.of(), Map.of()))
        .hasMessageContaining("true or false");
  }

  @Test
  void programsAreLimitedWherePeopleHaveAccounts(@TempDir Path home) {
    ProgramLimits limits = new ProgramLimits(16, 64, 1 << 20);
    PersonLimits people = new PersonLimits(32, 1 << 30);
    SandboxChoice choice = new SandboxChoice(Mode.NONE, List.of(), List.of(), limits, people);
    assertThat(SandboxSetup.of(choice, true, List.of(home), Map.of()).limits()).isEqualTo(limits);
    assertThat(SandboxSetup.of(choice, false, List.of(home), Map.of()).limits().isNone()).isTrue();
    assertThat(SandboxSetup.of(choice, true, List.of(home), Map.of()).people().isOn()).isTrue();
    assertThat(SandboxSetup.of(choice, false, List.of(home), Map.of()).people().isOn()).isFalse();
  }

  @Test
  void aServerWithAccountsDoesNotStartWhereProgramsCannotBeKeptApart(@TempDir Path home) {
    SandboxChoice unsaid =
        new SandboxChoice(null, List.of(), List.of(), ProgramLimits.NONE, PersonLimits.NONE);
    Map<String, String> nothingInstalled = Map.of("PATH", home.toString());
    assertThatThrownBy(() -> SandboxSetup.of(unsaid, true, List.of(home), nothingInstalled))
        .hasMessageContaining("apt-get install bubblewrap")
        .hasMessageContaining("auth.sandbox: none");
    assertThat(SandboxSetup.of(unsaid, false, List.of(home), nothingInstalled).isOn()).isFalse();
    assertThat(
            SandboxSetup.of(
                    new SandboxChoice(
                        Mode.NONE, List.of(), List.of(), ProgramLimits.NONE, PersonLimits.NONE),
                    true,
                    List.of(home),
                    nothingInstalled)
                .isOn())
        .isFalse();
  }
}
