package io.orrery.core.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.ServerFindings;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The roles of a server and the requests that they answer. */
class ServerRoleTest {
  /** All classes of the package, so that no new contract is forgotten. */
  private static List<Class<?>> contracts() {
    try (Stream<Path> files =
        Files.list(
            Path.of(Experiments.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                .resolve(Experiments.class.getPackageName().replace('.', '/')))) {
      return files
          .map(file -> file.getFileName().toString().replaceFirst("\\.class$", ""))
          .filter(name -> !name.contains("$") && !name.equals("package-info"))
          .<Class<?>>map(ServerRoleTest::contract)
          .toList();
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Class<?> contract(String name) {
    try {
      return Class.forName(Experiments.class.getPackageName() + "." + name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** All but the one at which each server answers for itself, whatever its roles are. */
  static Stream<Address<?, ?>> addresses() {
    return contracts().stream()
        .filter(contract -> contract != ServerFindings.class)
        .flatMap(contract -> Arrays.stream(contract.getFields()))
        .filter(field -> field.getType() == Address.class)
        .map(ServerRoleTest::address);
  }

  private static Address<?, ?> address(Field field) {
    try {
      return (Address<?, ?>) field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void aRequestThatTravelsBetweenServersNamesTheRoleThatAnswersIt(Address<?, ?> address) {
    assertThat(ServerRole.answering(address)).as(address.name()).isPresent();
  }
}
