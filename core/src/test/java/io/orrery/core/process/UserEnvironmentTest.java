package io.orrery.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class UserEnvironmentTest {
  @Test
  void programsGetTheLocaleThatTheLauncherHasReplaced() {
    assertThat(
            UserEnvironment.of(
                Map.of("LC_ALL", "C.UTF-8", "ORRERY_USER_LC_ALL", "POSIX", "PATH", "/bin")))
        .containsExactlyInAnyOrderEntriesOf(Map.of("LC_ALL", "POSIX", "PATH", "/bin"));
    assertThat(UserEnvironment.of(Map.of("LC_ALL", "C.UTF-8", "ORRERY_USER_LC_ALL", ""))).isEmpty();
    assertThat(UserEnvironment.of(Map.of("LC_ALL", "de_DE.UTF-8")))
        .isEqualTo(Map.of("LC_ALL", "de_DE.UTF-8"));
  }
}
