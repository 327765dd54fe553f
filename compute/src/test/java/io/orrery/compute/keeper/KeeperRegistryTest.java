package io.orrery.compute.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.keeper.Allowances.Allowance;
import io.orrery.compute.keeper.KeeperRegistry.Claim;
import io.orrery.compute.keeper.KeeperRegistry.End;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeeperRegistryTest {
  private static final Claim FIRST = new Claim("a", true, Instant.EPOCH);

  @TempDir Path attempt;
  private final Allowance allowance = new Allowance(KeptLimits.DEFAULT, AttemptUsage.NOTHING);
  private KeeperRegistry register;

  @BeforeEach
  void begin() {
    register = new KeeperRegistry(attempt.resolve(".nni"));
  }

  @Test
  void aPlaceIsHadByOneProcess() throws Exception {
    assertThat(register.claims()).isEmpty();
    assertThat(register.claim("main", FIRST, allowance)).isEqualTo(FIRST);
    Claim again = new Claim("a", true, Instant.EPOCH.plusSeconds(9));
    assertThat(register.claim("main", again, allowance)).as("its answer was lost").isEqualTo(FIRST);

    Claim another = new Claim("b", true, Instant.EPOCH);
    assertThatThrownBy(() -> register.claim("main", another, allowance))
        .hasMessageContaining("another process");
    assertThat(register.claim("other", new Claim("b", false, Instant.EPOCH), allowance))
        .isNotNull();
    assertThat(register.claims()).containsOnlyKeys("main", "other");
  }

  @Test
  void whatIsCanceledIsNotHad() throws Exception {
    register.cancel();

    assertThatThrownBy(() -> register.claim("main", FIRST, allowance))
        .hasMessageContaining("canceled");
  }

  @Test
  void whatIsOverIsNotHadAndItsFirstEndStands() throws Exception {
    register.claim("main", FIRST, allowance);
    End end = new End("a", 3, null, Instant.EPOCH);

    assertThat(register.end("main", end)).isEqualTo(end);
    assertThat(register.end("main", new End("a", 4, null, Instant.EPOCH))).isEqualTo(end);
    assertThatThrownBy(() -> register.claim("main", FIRST, allowance)).hasMessageContaining("over");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", "..", "A", "-a", "a.b", "main\0"})
  void aKeepersNameIsNoPath(String name) {
    assertThatThrownBy(() -> KeeperRegistry.keeper(name)).hasMessageContaining("keeper's name");
  }
}
