package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scales services by what they tell of themselves, and by what they use. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ScalingJourneyIT extends ServiceJourney {
  /** A server with a queue, whose length a file tells, and a thread that works without pause. */
  private static final String PROGRAM =
      """
      import os, threading, time
      from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

      class Handler(BaseHTTPRequestHandler):
          def do_GET(self):
              queue = open(os.environ['QUEUE']).read() if 'QUEUE' in os.environ else '0'
              body = ('# TYPE queue_length gauge\\nqueue_length{of="a"} ' + queue + '\\n').encode()
              self.send_response(200)
              self.send_header('Content-Length', str(len(body)))
              self.end_headers()
              self.wfile.write(body)

          def log_message(self, *arguments):
              pass

      def work():
          while True:
              time.sleep(0.02)
              end = time.thread_time() + 0.01
              while time.thread_time() < end:
                  pass

      if 'WORKS' in os.environ:
          threading.Thread(target=work, daemon=True).start()
      ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Handler).serve_forever()
      """;

  private ObjectNode document(String name, String scale) throws Exception {
    ObjectNode document = python(name, PROGRAM).put("scale", scale).put("grace", "1s");
    document.putObject("replicas").put("min", 1).put("max", 4);
    return document;
  }

  private JsonNode lastScaling(String name) throws Exception {
    return server.get(path(name) + "/scalings").get("items").get(0);
  }

  @Test
  void aQueueThatTheServiceTellsOfIsDividedAmongReplicas() throws Exception {
    Path queue = Files.writeString(temp.resolve("queue"), "0");
    ObjectNode document = document("worker", "metric:queue_length:10").put("metrics", "8080:/m");
    document.putObject("env").put("QUEUE", queue.toString());
    put(document.toString());
    ready("worker");

    Files.writeString(queue, "40");
    ready("worker", 4);
    assertThat(lastScaling("worker").get("reason").textValue())
        .matches("queue_length [0-9.]+ of 10 each");

    // What is deployed again keeps its number.
    put(document.put("title", "Worker").toString());
    assertThat(state("worker").get("replicas").size()).isGreaterThanOrEqualTo(4);
  }

  @Test
  void whatItsProgramsUseIsAShareOfWhatItAsksFor() throws Exception {
    ObjectNode document = document("burner", "cpu:50%,mem:90%");
    document.putObject("resources").put("cpu", "0.1").put("memory", "4G");
    document.putObject("env").put("WORKS", "yes");
    put(document.toString());

    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> {
          assertThat(state("burner").get("replicas").size()).isGreaterThan(1);
          assertThat(lastScaling("burner").get("reason").textValue())
              .matches("[0-9.]+ cores of 0.05 each");
        });
  }
}
