package io.orrery.compute.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.workload.Readings;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The measurements and the files that every runtime has for its programs. */
abstract class UsageContract extends StartReasonContract {
  @Test
  protected void whatAReplicaUsesIsMeasured() throws Exception {
    want(1, web(Map.of()), 1);
    Replica replica = ready(ref(1, 0));
    int held = 64 << 20;
    double before = used().levels().get(Readings.MEMORY);

    get(replica, "/hold?" + held);
    get(replica, "/burn?1.5");

    Readings after = used();
    assertThat(after.levels().get(Readings.MEMORY) - before).isGreaterThan(0.9 * held);
    assertThat(after.totals().get(Readings.CPU)).isBetween(1.5, 60.0);
    assertThat(await(runtime.used(new WorkloadRef(WorkloadKind.SERVICE, "absent")))).isEmpty();
  }

  private Readings used() throws Exception {
    Map<ReplicaRef, Readings> all = await(runtime.used(HELLO));
    assertThat(all).containsOnlyKeys(ref(1, 0));
    return all.get(ref(1, 0));
  }

  @Test
  protected void filesAreReadWhereTheVariableSays() throws Exception {
    want(
        1,
        web(Map.of())
            .withFiles(Map.of("models.config", "one\n", "deep/er.txt", "${HOME} and \"quotes\"")),
        1);

    Replica replica = ready(ref(1, 0));

    String place = files(get(replica, "/env?ORRERY_CONFIG"));
    assertThat(get(replica, "/read?" + place + "/models.config")).isEqualTo("one\n");
    assertThat(get(replica, "/read?" + place + "/deep/er.txt")).isEqualTo("${HOME} and \"quotes\"");

    want(2, web(Map.of()).withFiles(Map.of("models.config", "two")), 1);
    assertThat(get(ready(ref(2, 0)), "/env?ORRERY_CONFIG")).isNotEqualTo("-");
  }

  /** The place of files that a program is told, as its test reads them. */
  protected String files(String told) throws Exception {
    return told.replace(" ", "%20").replace("\"", "%22").replace("$", "%24");
  }
}
