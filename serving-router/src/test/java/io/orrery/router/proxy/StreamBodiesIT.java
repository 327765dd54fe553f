package io.orrery.router.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.router.proxy.FrameClient.Frame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the frames in which heads and bodies of plain requests of HTTP/2 may come. */
class StreamBodiesIT extends RouterIT {
  private void echo() throws Exception {
    Upstream echo =
        opened(
            Upstream.start(
                vertx, request -> request.body().onSuccess(body -> request.response().end(body))));
    route("  - {name: a, endpoints: [\"" + echo.address() + "\"]}\n");
  }

  private FrameClient frames() throws IOException {
    return opened(new FrameClient(router.port()).greet());
  }

  /** The body of an answer; what came of it and the reason when it does not end. */
  private static String body(FrameClient frames, int stream) throws IOException {
    ByteArrayOutputStream came = new ByteArrayOutputStream();
    for (Frame frame = frames.read(); frame != null; frame = frames.read()) {
      if (frame.stream() != stream) {
        continue;
      }
      if (frame.type() == FrameClient.RST_STREAM) {
        return came + " reset " + frame.code();
      }
      if (frame.type() == FrameClient.DATA) {
        came.write(frame.payload());
      }
      if (frame.type() <= FrameClient.HEADERS && (frame.flags() & FrameClient.END_STREAM) != 0) {
        return came.toString(US_ASCII);
      }
    }
    return came + " closed";
  }

  /** Each letter is a frame with that byte, a dash an empty one, T trailers. */
  @ParameterizedTest
  @ValueSource(strings = {"abc", "ab-c", "abc-", "-abc", "abc--", "abcT", "abc-T"})
  void aBodyMayComeInAnyFrames(String pieces) throws Exception {
    echo();
    FrameClient frames = frames();
    frames.frame(
        FrameClient.HEADERS,
        FrameClient.END_HEADERS,
        1,
        FrameClient.head("POST", FrameClient.field("content-length", "3")));

    for (int i = 0; i < pieces.length(); i++) {
      char piece = pieces.charAt(i);
      int end = i == pieces.length() - 1 ? FrameClient.END_STREAM : 0;
      if (piece == 'T') {
        frames.frame(
            FrameClient.HEADERS, FrameClient.END_HEADERS | end, 1, FrameClient.field("x", "y"));
      } else {
        byte[] data = piece == '-' ? new byte[0] : new byte[] {(byte) piece};
        frames.frame(FrameClient.DATA, end, 1, data);
      }
    }

    assertThat(body(frames, 1)).isEqualTo("abc");
  }

  @Test
  void crumbsOfACookieAreJoinedForTheEndpoint() throws Exception {
    List<String> heads = new CopyOnWriteArrayList<>();
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head -> {
              heads.add(head);
              return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
            }));
    route("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n");

    FrameClient frames = frames();
    frames.frame(
        FrameClient.HEADERS,
        FrameClient.END_HEADERS | FrameClient.END_STREAM,
        1,
        FrameClient.head(
            "GET",
            FrameClient.field("cookie", "a=b"),
            FrameClient.field("x", "y"),
            FrameClient.field("cookie", "c=d")));

    assertThat(frames.answered(1)).isEqualTo("200");
    assertThat(heads.getFirst()).containsOnlyOnce("cookie: ").contains("cookie: a=b; c=d\r\n");
  }

  private void told(String answer) throws Exception {
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head ->
                head.contains(" /odd ")
                    ? answer
                    : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    route(
        "  - {name: a, endpoints: [\""
            + endpoint.address()
            + "\"], limits: {requests: 1}, retries: {attempts: 0}}\n");
  }

  private static void get(FrameClient frames, int stream, String path) throws IOException {
    frames.frame(
        FrameClient.HEADERS,
        FrameClient.END_HEADERS | FrameClient.END_STREAM,
        stream,
        FrameClient.request("GET", path));
  }

  private void goesOn(FrameClient frames) throws IOException {
    get(frames, 3, "/");
    assertThat(frames.answered(3)).isEqualTo("200");
    await().atMost(10, SECONDS).until(() -> metric("orrery_router_held_bytes") == 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^",
        "HTTP/1.1 2^",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nok",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n^",
        "HTTP/1.1 200 OK\r\n:status: 201\r\n\r\n^",
      })
  void anAnswerThatIsNoneIsRefusedAndItsPlaceGivenBack(String answer) throws Exception {
    told(answer);
    FrameClient frames = frames();
    get(frames, 1, "/odd");
    assertThat(frames.answered(1)).isEqualTo("another");
    goesOn(frames);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok^",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n^",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n^",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n:x: y\r\n\r\n",
      })
  void anAnswerThatBreaksOffGivesItsPlaceBack(String answer) throws Exception {
    told(answer);
    FrameClient frames = frames();
    get(frames, 1, "/odd");
    // The general way may know of it before the head of the answer is on its way.
    assertThat(frames.answered(1)).matches("error \\d+|another");
    goesOn(frames);
  }

  @Test
  void aResetOfAnUploadGivesItsPlaceBack() throws Exception {
    told("");
    FrameClient frames = frames();
    frames.frame(
        FrameClient.HEADERS,
        FrameClient.END_HEADERS,
        1,
        FrameClient.head("POST", FrameClient.field("content-length", "30000")));
    frames.frame(FrameClient.DATA, 0, 1, new byte[16_000]);
    frames.frame(FrameClient.RST_STREAM, 0, 1, FrameClient.number(8));
    goesOn(frames);
  }

  @Test
  void aResetOfAnAnswerThatWaitsGivesItsPlaceBack() throws Exception {
    told("HTTP/1.1 200 OK\r\nContent-Length: 8000000\r\n\r\n" + "x".repeat(8_000_000));
    FrameClient frames = frames();
    get(frames, 1, "/odd");
    for (int came = 0; came < 65_535; ) {
      Frame frame = frames.read();
      came += frame.type() == FrameClient.DATA ? frame.payload().length : 0;
    }
    await().atMost(10, SECONDS).until(() -> metric("orrery_router_held_bytes") > 0);
    assertThat(metric("orrery_router_held_bytes")).isLessThan(1_000_000);
    frames.frame(FrameClient.RST_STREAM, 0, 1, FrameClient.number(8));
    frames.frame(FrameClient.WINDOW_UPDATE, 0, 0, FrameClient.number(65_535));
    goesOn(frames);
  }

  @Test
  void headsBeforeTheAnswerAndEmptyTrailersPass() throws Exception {
    told(
        "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nConnection: close\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nUPGRADE: x\r\nTE: a\r\n\r\n"
            + "2\r\nok\r\n0\r\nUpgrade: x\r\n\r\n");
    FrameClient frames = frames();
    get(frames, 1, "/odd");
    assertThat(body(frames, 1)).isEqualTo("ok");
    goesOn(frames);
  }

  /** The frames of a request in which each field is NAME=VALUE; a pseudo-header's begins with :. */
  private static byte[] fields(String text) {
    return FrameClient.join(
        Arrays.stream(text.split(";"))
            .map(field -> {
              int at = field.indexOf('=');
              return FrameClient.field(field.substring(0, at), field.substring(at + 1));
            })
            .toArray(byte[][]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ":method=GET;:path=/a b;:authority=A",
        ":method=GET;:path=/a\tb;:authority=A",
        ":method=GET;:path=/ HTTP/1.1\r\nx: y\r\n\r\n;:authority=A",
        ":method=GET;:path=http://other/;:authority=A",
        ":method=GET;:path=a;:authority=A",
        ":method=GE T;:path=/;:authority=A",
        ":method=GET / HTTP/1.1\r\nx:;:path=/;:authority=A",
        ":method=CONNECT;:path=/;:authority=A",
        ":method=GET;:path=/;:authority=A\r\nx: y",
        ":method=GET;:path=/;:authority=u@A",
        ":method=GET;:path=/;:authority=",
        ":method=GET;:path=/;:authority=A;:authority=A",
        ":method=GET;:path=/;:authority=A;host=b.service.orrery.localhost",
        ":method=GET;:path=/;:authority=A;=y",
        ":method=GET;:path=/;:authority=A;x\0=y",
        ":method=GET;:path=/;:authority=A;connection=x-own;x-own=1",
        ":method=GET;:path=/;:authority=A;content-length=2",
        ":method=GET;:path=/;:authority=A;content-length=+0",
        ":method=GET;:path=/;:authority=A;content-length=-0",
        ":method=GET;:path=/;:authority=A;content-length=0;content-length=1",
      })
  void aHeadThatCouldBeReadAsAnotherReachesNoEndpoint(String head) throws Exception {
    List<String> heads = new CopyOnWriteArrayList<>();
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(asked -> {
              heads.add(asked);
              return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
            }));
    route("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n");
    FrameClient frames = frames();
    frames.frame(
        FrameClient.HEADERS,
        FrameClient.END_HEADERS | FrameClient.END_STREAM,
        1,
        fields(
            ":scheme=http;"
                + head.replace("=A", "=a.service.orrery.localhost")
                    .replace("u@A", "u@a.service.orrery.localhost")));

    assertThat(frames.answered(1)).isNotEqualTo("200");
    assertThat(heads).isEmpty();
  }

  @Test
  void bytesOfRefusedUploadsGiveTheirWindowBack() throws Exception {
    HeldEndpoint endpoint = opened(new HeldEndpoint(vertx, "a"));
    route(
        "  - {name: a, endpoints: [\""
            + endpoint.address()
            + "\"], limits: {requests: 1, connections: 1}}\n");
    FrameClient frames = frames();
    frames.ask(1);
    await().atMost(10, SECONDS).until(() -> endpoint.asked().size() == 1);

    for (int stream = 3; stream < 203; stream += 2) {
      frames.frame(
          FrameClient.HEADERS,
          FrameClient.END_HEADERS,
          stream,
          FrameClient.head("POST", FrameClient.field("content-length", "60000")));
      for (int i = 0; i < 6; i++) {
        frames.frame(
            FrameClient.DATA, i == 5 ? FrameClient.END_STREAM : 0, stream, new byte[10_000]);
      }
      assertThat(frames.answered(stream)).isEqualTo("another");
      frames.frame(FrameClient.PING, 0, 0, new byte[8]);
      Frame frame = frames.read();
      while (frame.type() != FrameClient.PING) {
        assertThat(frame.type()).isNotEqualTo(FrameClient.GOAWAY);
        frame = frames.read();
      }
    }
    endpoint.answer(200);
    assertThat(frames.answered(1)).isEqualTo("200");
  }

  @ParameterizedTest
  @ValueSource(strings = {"idle: 1s", "total: 3s"})
  void anUploadThatStopsIsRefusedAndItsPlaceGivenBack(String timeout) throws Exception {
    RawEndpoint endpoint =
        opened(new RawEndpoint(head -> "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    route(
        "  - {name: a, endpoints: [\""
            + endpoint.address()
            + "\"], limits: {requests: 1}, timeout: {"
            + timeout
            + "}}\n");
    FrameClient frames = frames();
    frames.frame(
        FrameClient.HEADERS,
        FrameClient.END_HEADERS,
        1,
        FrameClient.head("POST", FrameClient.field("content-length", "30000")));
    frames.frame(FrameClient.DATA, 0, 1, new byte[16_000]);
    assertThat(frames.answered(1)).isEqualTo("another");
    frames.frame(FrameClient.DATA, FrameClient.END_STREAM, 1, new byte[14_000]);
    goesOn(frames);
  }
}
