package io.orrery.tuner.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.id.ExperimentId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterpreterTest {
  @TempDir Path temp;

  @Test
  void anAlgorithmSeesNoSecretsOfTheServer() {
    Map<String, String> server =
        Map.of(
            "PATH", "/bin",
            "LC_ALL", "C",
            "PYTHONPATH", "/mine",
            "ORRERY_TOKEN", "a",
            "PGPASSWORD", "b",
            "AWS_SECRET_ACCESS_KEY", "c");
    assertThat(interpreter("python3", server).environment(temp, temp, false))
        .containsEntry("PATH", "/bin")
        .containsEntry("LC_ALL", "C")
        .containsEntry("PYTHONPATH", "/sdk:/sdk/compat:/mine")
        .containsEntry("NNI_MODE", "start")
        .doesNotContainKeys("ORRERY_TOKEN", "PGPASSWORD", "AWS_SECRET_ACCESS_KEY");
  }

  @Test
  void whereThereIsNoPythonItIsSaid() {
    Interpreter none = interpreter("no-such-python", Map.of());
    assertThatThrownBy(() ->
            none.start(
                "orrery_algorithms", "tuner", new ExperimentId("exp1"), false, List.of(), Map.of()))
        .hasMessageStartingWith("no-such-python cannot be started");
  }

  private Interpreter interpreter(String command, Map<String, String> server) {
    return new Interpreter(List.of(command), Path.of("/sdk"), temp, server);
  }
}
