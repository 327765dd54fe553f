package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.gateway.http.Network;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the keys for registries and builds. */
class BuildKeysTest {
  private static BuildKeys.Settings read(String file) {
    return ServerConfig.read(file, Map.of(), Map.of()).builds();
  }

  @Test
  void theKeysAreReadAndHaveDefaults() {
    assertThat(read("")).isEqualTo(BuildKeys.Settings.STANDARD);
    assertThat(
            read(
                """
                registries: {networks: [127.0.0.1]}
                builds: {user: builder, directory: /var/lib/builds, concurrent: 3,
                  contextMegabytes: 512, minutes: 30, image: tools/buildah}
                """))
        .isEqualTo(
            new BuildKeys.Settings(
                List.of(Network.parse("127.0.0.1")),
                "builder",
                Path.of("/var/lib/builds"),
                3,
                512,
                30,
                "tools/buildah"));
  }

  @Test
  void aUserNeedsADirectoryThatCanBeReached() {
    assertThatThrownBy(() -> read("builds: {user: builder}"))
        .hasMessageContaining("builds.user needs builds.directory");
    assertThatThrownBy(() -> read("builds: {user: '../x', directory: /b}"))
        .hasMessageContaining("the name of no user");
    assertThatThrownBy(() -> read("builds: {directory: b}"))
        .hasMessageContaining("an absolute path");
    assertThatThrownBy(() -> read("builds: {image: 'no such image'}"))
        .hasMessageContaining("builds.image");
  }
}
