package io.orrery.orchestrator.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BuildSettingsTest {
  private static BuildSettings of(@Nullable String user) {
    return new BuildSettings(Path.of("/builds"), user, 1, 1, Duration.ofMinutes(1), null);
  }

  @Test
  void aCommandHasTheRightsOfTheUserIfThereIsOne() {
    assertThat(of(null).asUser()).isEmpty();
    assertThat(of("builder").asUser())
        .containsExactly(
            "setpriv", "--reuid=builder", "--regid=builder", "--init-groups", "--inh-caps=-all");
  }
}
