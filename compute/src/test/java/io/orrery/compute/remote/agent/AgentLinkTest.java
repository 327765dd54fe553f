package io.orrery.compute.remote.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.remote.agent.Frame.Kind;
import io.orrery.core.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server's end of a link, with an agent that says what the test says. */
class AgentLinkTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final byte[] MARK = "\norrery-agent 1\n".getBytes(StandardCharsets.US_ASCII);
  private static final ObjectNode ORDER = Json.MAPPER.createObjectNode().put("do", "census");

  private final PipedInputStream heard = new PipedInputStream(1 << 16);
  private final PipedInputStream told = new PipedInputStream(1 << 16);
  private final DataInputStream orders = new DataInputStream(told);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final BlockingQueue<KeeperCall> calls = new LinkedBlockingQueue<>();
  private final BlockingQueue<Future<Void>> callers = new LinkedBlockingQueue<>();
  private final Promise<KeeperAnswer> answer = Promise.promise();
  private final OutputStream agent;
  private AgentLink link;

  AgentLinkTest() throws IOException {
    agent = new PipedOutputStream(heard);
  }

  @AfterEach
  void close() {
    if (link != null) {
      link.close();
    }
  }

  private void open() throws Exception {
    link =
        AgentLink.open(
            heard,
            new PipedOutputStream(told),
            (call, left) -> {
              calls.add(call);
              callers.add(left);
              return answer.future();
            },
            closed::countDown,
            "machine",
            LIMIT);
  }

  private void greet() throws Exception {
    agent.write(MARK);
    say(Kind.HELLO, 0, headed(Map.of("socket", "/there"), ""));
    open();
  }

  private void say(Kind kind, int number, byte[] payload) throws IOException {
    agent.write(new Frame(kind, number, payload).bytes());
    agent.flush();
  }

  private static byte[] headed(Map<String, ?> head, String body) {
    return new Headed(Json.MAPPER.valueToTree(head), body.getBytes(StandardCharsets.UTF_8))
        .payload();
  }

  private static byte[] call(String method, String path, String token) {
    return headed(Map.of("method", method, "path", path, "token", token), "body");
  }

  /** The next frame that the server has sent: its number and its payload. */
  private Map.Entry<Integer, Headed> sent() throws Exception {
    int length = orders.readInt();
    orders.readByte();
    int number = orders.readInt();
    byte[] payload = new byte[length];
    orders.readFully(payload);
    return Map.entry(number, Headed.of(payload));
  }

  @Test
  void anOrderIsAnsweredByItsNumberWhicheverIsDoneFirst() throws Exception {
    agent.write("motd of a login shell\n\n\norrery-agent".getBytes(StandardCharsets.US_ASCII));
    greet();
    assertThat(link.socket()).isEqualTo("/there");
    List<CompletableFuture<OrderOutcome>> asked =
        List.of(CompletableFuture.supplyAsync(this::ask), CompletableFuture.supplyAsync(this::ask));
    int first = sent().getKey();
    int second = sent().getKey();

    say(Kind.DONE, 99, "{}".getBytes(StandardCharsets.UTF_8));
    for (int number : new int[] {second, first}) {
      say(
          Kind.DONE,
          number,
          ("{\"code\": 0, \"out\": \"" + number + "\"}").getBytes(StandardCharsets.UTF_8));
    }

    assertThat(asked)
        .extracting(each -> each.get(30, TimeUnit.SECONDS).out())
        .containsExactlyInAnyOrder("" + first, "" + second);
  }

  private OrderOutcome ask() {
    try {
      return link.ask(ORDER, LIMIT);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aCallIsPassedOnAndItsAnswerBrought() throws Exception {
    greet();
    say(Kind.CALL, 7, call("PUT", "/keeper/logs/stdout?offset=0", "token"));
    KeeperCall call = calls.poll(30, TimeUnit.SECONDS);
    assertThat(call.path()).isEqualTo("/keeper/logs/stdout");
    assertThat(call.target()).isEqualTo("/keeper/logs/stdout?offset=0");
    assertThat(call.token()).isEqualTo("token");
    assertThat(call.body().toString()).isEqualTo("body");

    answer.complete(new KeeperAnswer(200, Buffer.buffer("so be it")));

    Map.Entry<Integer, Headed> sent = sent();
    assertThat(sent.getKey()).isEqualTo(7);
    assertThat(sent.getValue().head().path("status").asInt()).isEqualTo(200);
    assertThat(sent.getValue().body()).asString().isEqualTo("so be it");
  }

  @Test
  void aCallThatHasNoAnswerIsToBeTriedLaterAndOneTooLongIsToGoByThePort() throws Exception {
    greet();
    say(Kind.CALL, 1, call("GET", "/keeper/parameters", "token"));
    answer.fail("away");
    assertThat(sent().getValue().head().path("status").asInt()).isEqualTo(503);

    AgentLinkTest other = new AgentLinkTest();
    other.greet();
    other.say(Kind.CALL, 1, call("GET", "/keeper/parameters", "token"));
    other.answer.complete(new KeeperAnswer(200, Buffer.buffer(new byte[3 << 20])));
    Map.Entry<Integer, Headed> sent = other.sent();
    assertThat(sent.getValue().head().path("status").asInt()).isEqualTo(421);
    assertThat(sent.getValue().body()).isEmpty();
    other.close();
  }

  @Test
  void whoLeavesBeforeItIsAnsweredIsToldAndNotAnswered() throws Exception {
    greet();
    say(Kind.CALL, 1, call("POST", "/keeper/beat", "token"));
    Future<Void> caller = callers.poll(30, TimeUnit.SECONDS);
    assertThat(caller.isComplete()).isFalse();
    say(Kind.LEFT, 1, new byte[0]);
    caller.await(30, TimeUnit.SECONDS);
    answer.complete(new KeeperAnswer(200, Buffer.buffer()));

    say(Kind.CALL, 2, call("DELETE", "/keeper/beat", "token"));
    assertThat(sent().getKey()).as("the answer to the one that is there").isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/keeper/start HTTP/1.1\r\nX: y",
        "/keeper/ start",
        "http://elsewhere/keeper/start",
        "",
        "/é"
      })
  void whatCannotBePassedOnAsItStandsIsRefused(String target) throws Exception {
    greet();
    say(Kind.CALL, 1, call("POST", target, "token"));
    assertThat(sent().getValue().head().path("status").asInt()).isEqualTo(400);
    say(Kind.CALL, 2, call("POST", "/keeper/start", "to\r\nken"));
    assertThat(sent().getValue().head().path("status").asInt()).isEqualTo(400);
    assertThat(calls).isEmpty();
    assertThat(link.isOpen()).isTrue();
  }

  static List<byte[]> noFrames() {
    return List.of(
        ByteBuffer.allocate(9).putInt(0).put((byte) 99).array(),
        ByteBuffer.allocate(9).putInt(0).put((byte) 1).array(),
        ByteBuffer.allocate(9).putInt(Frame.MOST + 1).put((byte) 18).array(),
        ByteBuffer.allocate(9).putInt(-1).put((byte) 18).array(),
        new Frame(Kind.CALL, 1, new byte[0]).bytes(),
        new Frame(Kind.CALL, 1, new byte[] {0, 0, 0, 9, '{', '}'}).bytes(),
        new Frame(Kind.CALL, 1, new byte[] {0, 0, 0, 2, '[', ']'}).bytes(),
        new Frame(Kind.DONE, 1, "no JSON".getBytes(StandardCharsets.UTF_8)).bytes());
  }

  @ParameterizedTest
  @MethodSource("noFrames")
  void whatIsNoFrameEndsTheLinkAndAllThatIsUnderWay(byte[] said) throws Exception {
    greet();
    say(Kind.CALL, 5, call("POST", "/keeper/beat", "token"));
    Future<Void> caller = callers.poll(30, TimeUnit.SECONDS);
    CompletableFuture<OrderOutcome> asked = CompletableFuture.supplyAsync(this::ask);
    sent();

    agent.write(said);
    agent.flush();

    assertThatThrownBy(() -> asked.get(30, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(BrokenLinkException.class);
    caller.await(30, TimeUnit.SECONDS);
    assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(link.isOpen()).isFalse();
    assertThatThrownBy(() -> link.ask(ORDER, LIMIT)).isInstanceOf(BrokenLinkException.class);
  }

  @Test
  void whatNeverBeginsOrEndsAtOnceIsNoAgent() throws Exception {
    agent.write("command not found\n".getBytes(StandardCharsets.US_ASCII));
    agent.close();
    assertThatThrownBy(this::open).isInstanceOf(BrokenLinkException.class);
    assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();

    AgentLinkTest talker = new AgentLinkTest();
    Thread noise =
        Thread.ofVirtual()
            .start(() -> {
              try {
                talker.agent.write(new byte[(64 << 10) + 100]);
              } catch (IOException closed) {
                // It has heard enough.
              }
            });
    assertThatThrownBy(talker::open).hasMessageContaining("does not say that it is one");
    talker.heard.close();
    noise.join();
  }

  @Test
  void anAgentThatStandsStillIsLeft() throws Exception {
    greet();
    assertThatThrownBy(() -> link.ask(ORDER, Duration.ofMillis(50)))
        .hasMessageContaining("did not answer");
    assertThat(link.isOpen()).isFalse();
  }
}
