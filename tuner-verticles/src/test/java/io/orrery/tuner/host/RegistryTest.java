package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.bus.contract.Tuners.Registration;
import io.orrery.core.file.KeptFile;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.Parameters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryTest {
  @TempDir private Path home;

  private static Registration tuner(String name, String className) {
    return new Registration(name, "tuner", className, null, Parameters.EMPTY);
  }

  @Test
  void aFullRegistryTakesNoFurtherNameButAnotherClassForOneThatItHas() throws IOException {
    Path file = home.resolve("algorithms.json");
    List<Registration> many =
        IntStream.range(0, 1_000).mapToObj(n -> tuner("walk" + n, "walk.Walk")).toList();
    KeptFile.write(file, Json.MAPPER.writeValueAsBytes(many));
    Registry registry = new Registry(file, new Catalog(List.of(), List.of()));
    registry.read();

    assertThatThrownBy(() -> registry.register(tuner("one_more", "walk.Walk")))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("1000 algorithms are registered");
    registry.register(tuner("WALK7", "walk.Faster"));

    Registry next = new Registry(file, new Catalog(List.of(), List.of()));
    next.read();
    assertThat(next.all()).hasSize(1_000);
    assertThat(next.find("walk7")).hasValue(tuner("WALK7", "walk.Faster"));
    registry.unregister("walk8");
    registry.register(tuner("one_more", "walk.Walk"));
  }
}
