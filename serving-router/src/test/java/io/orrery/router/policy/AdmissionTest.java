package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.time.VirtualClock;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Admission.Admitted;
import io.orrery.router.policy.Admission.TurnedAway;
import io.orrery.router.route.ClientAddress;
import io.orrery.router.route.RequestFacts;
import io.orrery.router.route.RouteReader;
import io.orrery.router.telemetry.Meters;
import java.time.Instant;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests which requests a loop lets in. */
class AdmissionTest {
  private final Tables tables =
      new Tables(
          RouteReader.read(
              "services:\n  - {name: a, endpoints: ['127.0.0.1:1'], limits: {rate: 2/hour}}\n",
              "example.com"),
          1);
  private final Loop loop =
      new Loop(
          new Surroundings(
              tables, new Meters(), new Rates(), new VirtualClock(Instant.EPOCH), () -> 0, null),
          0,
          1,
          new SplittableRandom(1),
          Runnable::run);

  @Test
  void theAddressesOfOneNetworkShareItsRate() {
    assertThat(ask("2001:db8:0:1::1")).isInstanceOf(Admitted.class);
    assertThat(ask("2001:db8:0:1::2")).isInstanceOf(Admitted.class);
    assertThat(ask("2001:db8:0:1:9::3")).isInstanceOf(TurnedAway.class);
    assertThat(ask("2001:db8:0:2::1")).isInstanceOf(Admitted.class);
  }

  @Test
  void neighboursOfIpv4HaveEachTheirOwn() {
    assertThat(ask("192.0.2.1")).isInstanceOf(Admitted.class);
    assertThat(ask("::ffff:192.0.2.1")).isInstanceOf(Admitted.class);
    assertThat(ask("192.0.2.1")).isInstanceOf(TurnedAway.class);
    assertThat(ask("192.0.2.2")).isInstanceOf(Admitted.class);
  }

  private Admission ask(String address) {
    LiveTable table = tables.current();
    RequestFacts facts = new From(ClientAddress.of(address));
    ServiceState owner = Objects.requireNonNull(table.find("a.service.example.com", facts));
    return loop.admit(table, owner, facts, null);
  }

  private record From(ClientAddress client) implements RequestFacts {
    @Override
    public String path() {
      return "/";
    }

    @Override
    public @Nullable String header(String name) {
      return null;
    }

    @Override
    public @Nullable String cookie(String name) {
      return null;
    }
  }
}
