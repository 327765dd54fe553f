package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import org.junit.jupiter.api.Test;

/** Tests which sets a trial has asked for, by its payloads. */
class SetRequestsTest {
  private final SetRequests requests = new SetRequests();

  @Test
  void setsAreAskedForOneAfterTheOtherByEachProcess() {
    ask("1");
    ask("1");
    ask("2");
    ask("1");

    assertThat(requests.highest()).isEqualTo(2);
  }

  @Test
  void aNumberThatLeavesSomeOutOrIsNoneCountsForNothing() {
    for (String number :
        new String[] {"0", "2", "-1", "2147483647", "1e30", "1.0", "\"1\"", "null", "[1]"}) {
      ask(number);
    }
    requests.look(Json.parse("{\"type\": \"FINAL\", \"parameter_index\": 1}"));
    requests.look(Json.parse("{}"));

    assertThat(requests.highest()).isZero();
  }

  private void ask(String index) {
    requests.look(
        Json.parse(
            "{\"type\": \"REQUEST_PARAMETER\", \"trial_job_id\": \"t\", \"parameter_index\": "
                + index
                + "}"));
  }
}
