package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Opens a shell where a service would run whose program does not start. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DebugStageIT extends ServiceJourney {
  @Test
  void aShellFindsCodeAndCommandOfAProgramThatFailsAndProductionStaysAsItIs() throws Exception {
    ObjectNode document = python("broken", "raise SystemExit('no model')");
    document.put("stage", "none").withObjectProperty("env").put("WORD", "seen");
    put(document.toString());

    Ended deployed = orrery("service", "deploy", "broken", "--stage", "debug");
    assertThat(deployed.code()).as(deployed.err()).isZero();
    await()
        .atMost(PATIENCE)
        .until(() ->
            server.get("/workloads/service-debug.broken").path("status").asText().equals("READY"));

    Ended ended =
        orrery(
            new String[] {"service", "shell", "broken", "--stage", "debug"},
            "ls; printf '%s %s\\n' \"$WORD\" \"$ORRERY_COMMAND\"; sh -c \"$ORRERY_COMMAND\" 2>&1; exit 7\n");
    assertThat(ended.code()).as(ended.out() + ended.err()).isEqualTo(7);
    assertThat(ended.out()).contains("server.py", "seen exec python3 server.py", "no model");
    assertThat(server.get("/workloads").path("items")).hasSize(1);
    assertThat(orrery("service", "clear", "broken", "--stage", "debug").code()).isZero();
    await().atMost(PATIENCE).until(() -> server.get("/workloads").path("items").isEmpty());
  }
}
