package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.gateway.launch.UserKeys.Mode;
import io.orrery.gateway.launch.UserKeys.SandboxChoice;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SandboxSetupTest {
  @Test
  void programsOfPeopleAreKeptApartAsTheOperatorSays() {
    ServerConfig none = ServerConfig.read("auth: {users: true, sandbox: none}", Map.of(), Map.of());
    assertThat(none.users()).isTrue();
    assertThat(none.sandbox().mode()).isEqualTo(Mode.NONE);
    assertThat(ServerConfig.read("auth: {users: true}", Map.of(), Map.of()).sandbox().mode())
        .isNull();
    assertThat(
            ServerConfig.read(
                    "auth: {sandbox: bwrap, sandboxRead: '/data:/home/a', sandboxWrite: /scratch}",
                    Map.of(),
                    Map.of())
                .sandbox())
        .isEqualTo(
            new SandboxChoice(
                Mode.BWRAP,
                List.of(Path.of("/data"), Path.of("/home/a")),
                List.of(Path.of("/scratch"))));
    assertThatThrownBy(() -> ServerConfig.read("auth: {sandbox: docker}", Map.of(), Map.of()))
        .hasMessageContaining("it is bwrap or none");
    assertThatThrownBy(() -> ServerConfig.read("auth: {sandboxRead: data}", Map.of(), Map.of()))
        .hasMessageContaining("'data' is no absolute path");
    assertThatThrownBy(() -> ServerConfig.read("auth: {users: perhaps}", Map.of(), Map.of()))
        .hasMessageContaining("true or false");
  }

  @Test
  void aServerWithAccountsDoesNotStartWhereProgramsCannotBeKeptApart(@TempDir Path home) {
    SandboxChoice unsaid = new SandboxChoice(null, List.of(), List.of());
    Map<String, String> nothingInstalled = Map.of("PATH", home.toString());
    assertThatThrownBy(() -> SandboxSetup.of(unsaid, true, List.of(home), nothingInstalled))
        .hasMessageContaining("apt-get install bubblewrap")
        .hasMessageContaining("auth.sandbox: none");
    assertThat(SandboxSetup.of(unsaid, false, List.of(home), nothingInstalled).isOn()).isFalse();
    assertThat(
            SandboxSetup.of(
                    new SandboxChoice(Mode.NONE, List.of(), List.of()),
                    true,
                    List.of(home),
                    nothingInstalled)
                .isOn())
        .isFalse();
  }
}
