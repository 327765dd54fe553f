package io.orrery.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UserHomeTest {
  private static final Path LISTED = Path.of(System.getProperty("user.home"));

  @Test
  void theVariableComesBeforeTheListOfUsers() {
    assertThat(UserHome.of(Map.of("HOME", "/home/ada"))).isEqualTo(Path.of("/home/ada"));
    assertThat(UserHome.of(Map.of())).isEqualTo(LISTED);
  }

  @Test
  void anEmptyVariableIsNotTheDirectoryOfTheProcess() {
    assertThat(UserHome.of(Map.of("HOME", ""))).isEqualTo(LISTED);
  }
}
