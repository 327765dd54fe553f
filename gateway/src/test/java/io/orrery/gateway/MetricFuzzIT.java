package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that whatever a sender says, the batch is refused at its line and the connection goes on.
 */
class MetricFuzzIT {
  private static final String GOOD =
      "{\"trial\":\"digits01/abcde\",\"kind\":\"intermediate\",\"sequence\":7,\"value\":0.93}\n";
  private static final int MUTATIONS = 2_000;

  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge = EdgeServer.start();
    edge.on(
        Trials.GET,
        question ->
            question.trial().equals(Samples.TRIAL)
                ? Future.succeededFuture(Samples.running(Samples.THEN))
                : Future.failedFuture(
                    new Problem.NotFound("There is no trial " + question.trial() + ".")
                        .toException()));
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static Stream<Arguments> badLines() {
    return Stream.of(
            new String[][] {
              {"cut off", GOOD.substring(0, 30)},
              {"cut off in a text", "{\"trial\":\"digits01"},
              {"lists in lists", GOOD.replace("0.93", "[".repeat(100_000))},
              {"objects in objects", GOOD.replace("0.93", "{\"default\":".repeat(50_000))},
              {"depth that is not read", GOOD.replace("{", "{\"x\":" + "[".repeat(5_000) + ",")},
              {"a number of 10 MB", GOOD.replace("0.93", "9".repeat(10_000_000))},
              {"a number of 10,000 digits", GOOD.replace("0.93", "9".repeat(10_000))},
              {"a huge exponent", GOOD.replace("0.93", "1" + "e9".repeat(2_000))},
              {"a long sequence", GOOD.replace("7,", "7".repeat(900) + ",")},
              {"a text of 10 MB", GOOD.replace("abcde", "a".repeat(10_000_000))},
              {"no UTF-8 in an id", GOOD.replace("abcde", "abc\u00ff")},
              {"no UTF-8 in an object", GOOD.replace("0.93", "{\"default\":1,\"x\":\"\u00c0\"}")},
              {"no UTF-8 in a key", GOOD.replace("\"value\"", "\"valu\u00fe\"")},
              {"no UTF-8 that is not read", GOOD.replace("{", "{\"x\":\"\u00e2\u0028\u00a1\",")},
              {"a surrogate as UTF-8", GOOD.replace("abcde", "\u00ed\u00a0\u0080")},
              {"no such trial", GOOD.replace("abcde", "zzzzz")},
              {"no such experiment", GOOD.replace("digits01", "digits02")},
              {"a path in an id", GOOD.replace("abcde", "../../etc")},
              {"zero bytes", "\u0000".repeat(100)},
              {"a foreign encoding", new String(GOOD.getBytes(StandardCharsets.UTF_16))},
              {"two values", GOOD.strip() + GOOD},
            })
        .map(line -> Arguments.of(line[0], latin(line[1].strip() + "\n")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badLines")
  void aBadLineIsNamedAndNothingIsStoredAndTheConnectionGoesOn(String name, byte[] line)
      throws Exception {
    try (RawClient raw = edge.raw()) {
      String answer = post(raw, join(latin(GOOD), line, latin(GOOD)));

      assertThat(answer).startsWith("HTTP/1.1 400");
      assertThat(Json.parse(answer.substring(answer.indexOf("\r\n\r\n"))).at("/errors/0/line"))
          .asString()
          .isEqualTo("2");
      assertThat(edge.sink.points).isEmpty();

      assertThat(post(raw, latin(GOOD))).endsWith("{\"accepted\":1,\"duplicates\":0}");
      assertThat(edge.sink.points).hasSize(1);
    }
  }

  @Test
  void aLineWithRandomFaultsIsTakenOrRefusedAtItsPlaceAndNeverOurFault() throws Exception {
    Random random = new Random(20260131);
    try (RawClient raw = edge.raw()) {
      for (int i = 0; i < MUTATIONS; i++) {
        byte[] line = mutated(latin(GOOD.strip()), random);
        edge.sink.points.clear();

        String answer = post(raw, join(latin(GOOD), line));

        if (answer.startsWith("HTTP/1.1 200")) {
          assertThat(edge.sink.points).hasSizeBetween(1, 3);
        } else {
          assertThat(answer).as("%s", new String(line)).startsWith("HTTP/1.1 400");
          assertThat(Json.parse(answer.substring(answer.indexOf("\r\n\r\n"))).at("/errors/0/line"))
              .asString()
              .matches("[23]");
          assertThat(edge.sink.points).isEmpty();
        }
      }
    }
  }

  /** A few bytes changed, doubled or lost. */
  private static byte[] mutated(byte[] line, Random random) {
    byte[] bytes = line.clone();
    for (int faults = 1 + random.nextInt(3); faults > 0; faults--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes = join(Arrays.copyOf(bytes, at), bytes);
        default -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
      }
    }
    return bytes;
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      whole.writeBytes(part);
    }
    return whole.toByteArray();
  }

  private static String post(RawClient raw, byte[] body) throws IOException {
    // In one piece: a head that goes alone waits for its acknowledgement.
    byte[] request =
        join(
            latin(
                "POST /api/v1/metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                    + body.length
                    + "\r\n\r\n"),
            body);
    raw.write(request, request.length);
    return raw.answer();
  }
}
