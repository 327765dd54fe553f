package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests HTTP/2 in and out, gRPC, WebSocket. */
class ProtocolsIT extends RouterIT {
  private HttpClient h2;

  @BeforeEach
  void client() {
    h2 =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_1_1, http1",
    "HTTP_1_1, h2c",
    "HTTP_2, http1",
    "HTTP_2, h2c",
  })
  void eitherVersionGoesInAndOut(HttpVersion in, String out) throws Exception {
    CompletableFuture<String> seen = new CompletableFuture<>();
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request ->
                    request
                        .body()
                        .onSuccess(body -> {
                          seen.complete(
                              request.version()
                                  + " "
                                  + request.authority().host()
                                  + " "
                                  + request.getHeader("via"));
                          request.response().putHeader("X-Seen", "yes").end(body);
                        })));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"], protocol: " + out + "}\n");
    HttpClient from = in == HttpVersion.HTTP_2 ? h2 : client;
    byte[] bytes = new byte[300_000];
    new java.util.Random(1).nextBytes(bytes);

    Answer answer =
        ask(from, to(HttpMethod.POST, "a", "/x"), Buffer.buffer(bytes)).await(10, SECONDS);

    assertThat(answer.response().version()).isEqualTo(in);
    assertThat(answer.response().getHeader("x-seen")).isEqualTo("yes");
    assertThat(answer.body().getBytes()).isEqualTo(bytes);
    assertThat(seen.get(1, SECONDS))
        .isEqualTo(
            (out.equals("h2c") ? "HTTP_2" : "HTTP_1_1")
                + " a.service.orrery.localhost "
                + (in == HttpVersion.HTTP_2 ? "2.0" : "1.1")
                + " orrery");
  }

  @Test
  void aGetOverHttp2HasNoBodyOnTheOtherSide() throws Exception {
    CompletableFuture<String> seen = new CompletableFuture<>();
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  seen.complete("" + request.getHeader("transfer-encoding"));
                  request.response().end("ok");
                }));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");

    ask(h2, to(HttpMethod.GET, "a", "/"), null).await(10, SECONDS);

    assertThat(seen.get(1, SECONDS)).isEqualTo("null");
  }

  @Test
  void cookiesThatCameOneByOneLeaveTogether() throws Exception {
    CompletableFuture<List<String>> seen = new CompletableFuture<>();
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  seen.complete(request.headers().getAll("cookie"));
                  request.response().end();
                }));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");

    RequestOptions options = to(HttpMethod.GET, "a", "/");
    options.addHeader("cookie", "a=1").getHeaders().add("cookie", "b=2");
    ask(h2, options, null).await(10, SECONDS);

    assertThat(seen.get(1, SECONDS)).containsExactly("a=1; b=2");
  }

  @Test
  void aGrpcCallStreamsBothWaysAtOnceAndEndsWithItsTrailers() throws Exception {
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  var response =
                      request
                          .response()
                          .putHeader("content-type", "application/grpc")
                          .putHeader("te-seen", request.getHeader("te"));
                  response.writeHead();
                  request.handler(message -> response.write(message));
                  request.endHandler(end ->
                      response
                          .putTrailer("grpc-status", "0")
                          .putTrailer("grpc-message", "done")
                          .end());
                }));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"], protocol: h2c}\n");
    LinkedBlockingQueue<Buffer> echoed = new LinkedBlockingQueue<>();
    Promise<HttpClientResponse> ended = Promise.promise();

    HttpClientRequest call =
        h2.request(to(HttpMethod.POST, "a", "/orrery.Echo/Chat")).await(5, SECONDS);
    call.putHeader("content-type", "application/grpc").putHeader("te", "trailers").setChunked(true);
    call.response()
        .onSuccess(response -> {
          response.handler(echoed::add);
          response.endHandler(end -> ended.complete(response));
        });
    call.sendHead();
    for (int i = 0; i < 50; i++) {
      Buffer message = frame("message " + i);
      call.write(message);
      // The answer to one message comes before the next is sent: nothing waits for the end.
      assertThat(echoed.poll(5, SECONDS)).isEqualTo(message);
    }
    call.end();

    HttpClientResponse response = ended.future().await(5, SECONDS);
    assertThat(response.getHeader("te-seen")).isEqualTo("trailers");
    assertThat(response.trailers().get("grpc-status")).isEqualTo("0");
    assertThat(response.trailers().get("grpc-message")).isEqualTo("done");
  }

  @Test
  void aGrpcAnswerOfTrailersAloneArrives() throws Exception {
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request ->
                    request
                        .response()
                        .putHeader("content-type", "application/grpc")
                        .putHeader("grpc-status", "12")
                        .end()));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"], protocol: h2c}\n");

    Answer answer =
        ask(h2, to(HttpMethod.POST, "a", "/orrery.Echo/None"), frame("x")).await(5, SECONDS);

    assertThat(answer.response().getHeader("grpc-status")).isEqualTo("12");
  }

  /** A message of gRPC: a flag, four bytes of length, the bytes. */
  private static Buffer frame(String text) {
    return Buffer.buffer().appendByte((byte) 0).appendInt(text.length()).appendString(text);
  }

  @Test
  void aWebSocketEchoesInOrderAndClosesWithItsCode() throws Exception {
    CompletableFuture<Short> closed = new CompletableFuture<>();
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request ->
                    request
                        .toWebSocket()
                        .onSuccess(socket -> {
                          socket.textMessageHandler(socket::writeTextMessage);
                          socket.closeHandler(end -> closed.complete(socket.closeStatusCode()));
                        })));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");
    int messages = Integer.getInteger("orrery.websocket.messages", 10_000);
    List<String> echoed = new ArrayList<>();
    CompletableFuture<Void> all = new CompletableFuture<>();

    // Held to the end: a client without a reference is closed, with its connections, when the
    // collector comes by.
    WebSocketClient client = vertx.createWebSocketClient();
    WebSocket socket =
        client
            .connect(
                new WebSocketConnectOptions()
                    .setHost("a.service." + DOMAIN)
                    .setPort(router.port())
                    .setURI("/chat")
                    .addHeader("origin", "http://a.service." + DOMAIN))
            .await(5, SECONDS);
    socket.textMessageHandler(text -> {
      echoed.add(text);
      if (echoed.size() == messages) {
        all.complete(null);
      }
    });
    for (int i = 0; i < messages; i++) {
      socket.writeTextMessage("message " + i);
    }
    all.get(20, SECONDS);

    assertThat(echoed).first().isEqualTo("message 0");
    assertThat(echoed).last().isEqualTo("message " + (messages - 1));
    socket.close((short) 4001, "enough");
    assertThat(closed.get(5, SECONDS)).isEqualTo((short) 4001);
    client.close().await(5, SECONDS);
  }

  @Test
  void onlyTheEndpointGrantsExtensionsOfAWebSocket() throws Exception {
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head ->
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + (head.contains("/deflate")
                        ? "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
                        : "\r\n")));
    route("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n");

    assertThat(extensions("/plain")).isEmpty();
    assertThat(extensions("/deflate")).containsExactly("permessage-deflate");
  }

  /** Those that the router grants a client who offers to compress. */
  private List<String> extensions(String path) throws Exception {
    try (RawClient raw = raw()) {
      raw.write(
          "GET "
              + path
              + " HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nConnection: Upgrade\r\n"
              + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n"
              + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n");
      String head = raw.head();
      assertThat(head).startsWith("HTTP/1.1 101");
      return head.lines()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-extensions:"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .toList();
    }
  }

  @Test
  void aRefusedUpgradeIsAnOrdinaryAnswer() throws Exception {
    Upstream upstream =
        opened(Upstream.start(vertx, request -> request.response().setStatusCode(403).end("no")));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");

    try (RawClient raw = raw()) {
      raw.write(
          "GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nConnection: Upgrade\r\n"
              + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n");
      assertThat(raw.rest()).startsWith("HTTP/1.1 403").endsWith("no");
    }
  }
}
