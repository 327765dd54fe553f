package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Measures the memory of a server that services at rest cost, each with three replicas: 20 of them,
 * or {@code -Dorrery.resting=100}.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class RestingServicesIT extends ServiceJourney {
  private static final int SERVICES = Integer.getInteger("orrery.resting", 20);
  private static final int REPLICAS = 3;
  private static final int WARMING = 10;
  private static final long MOST_BYTES = 100_000;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)$");

  /** A small program: the machine has room for hundreds of it. */
  private static final String PROGRAM =
      """
      import os, socket

      server = socket.create_server(("127.0.0.1", int(os.environ["PORT"])), backlog=16)
      while True:
          client, _ = server.accept()
          client.recv(4096)
          client.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")
          client.close()
      """;

  private void deploy(String name) throws Exception {
    ObjectNode document = python(name, PROGRAM);
    document.put("command", "exec python3 -S -E server.py").put("replicas", REPLICAS);
    put(document.toString());
  }

  private void allReady(String kind, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      String name = kind + i;
      await().atMost(LONG).until(() -> state(name).get("status").textValue().equals("READY"));
    }
  }

  /** The bytes of the objects that are reached, after a collection. */
  private long live() throws IOException, InterruptedException {
    Process asked =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(server.pid()),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    asked.waitFor();
    Matcher total = TOTAL.matcher(said);
    assertThat(total.find()).as(said).isTrue();
    return Long.parseLong(total.group(1));
  }

  @Test
  void aServiceWithThreeReplicasAtRestCostsLittleMemory() throws Exception {
    for (int i = 0; i < WARMING; i++) {
      deploy("warming-" + i);
    }
    allReady("warming-", WARMING);
    long before = live();

    for (int i = 0; i < SERVICES; i++) {
      deploy("resting-" + i);
    }
    allReady("resting-", SERVICES);
    long each = (live() - before) / SERVICES;

    System.out.printf(
        "%d services with %d replicas at rest: %,d bytes of heap each%n", SERVICES, REPLICAS, each);
    assertThat(each).isLessThan(MOST_BYTES);
  }
}
