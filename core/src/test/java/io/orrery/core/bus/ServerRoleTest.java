package io.orrery.core.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.bus.contract.Dispatchers;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Rehearsals;
import io.orrery.core.bus.contract.RouteLayers;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Templates;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.bus.contract.Workloads;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The roles of a server and the requests that they answer. */
class ServerRoleTest {
  private static final List<Class<?>> CONTRACTS =
      List.of(
          Annotations.class,
          Artifacts.class,
          CodeBundles.class,
          Dispatchers.class,
          Experiments.class,
          Metrics.class,
          Models.class,
          Notebooks.class,
          PipelineRuns.class,
          Pipelines.class,
          Rehearsals.class,
          RouteLayers.class,
          Routes.class,
          Services.class,
          Templates.class,
          Tracking.class,
          TrainingServices.class,
          TrialKeepers.class,
          Trials.class,
          Tuners.class,
          Workloads.class);

  static Stream<Address<?, ?>> addresses() {
    return CONTRACTS.stream()
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
