package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A test of endpoints of HTTP/2 that have not processed a request (E9, RFC 9113 section 8.7). */
class RefusedStreamIT extends RouterIT {
  private static final String POST =
      "POST / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nContent-Length: 5\r\n\r\nhello";

  /** An endpoint that does something else to its first request, and answers all others. */
  private Upstream endpoint(Handler<HttpServerRequest> first) throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Upstream endpoint =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  if (asked.getAndIncrement() == 0) {
                    first.handle(request);
                  } else {
                    request.body().onSuccess(body -> request.response().end(body));
                  }
                }));
    route("  - {name: a, protocol: h2c, endpoints: [\"" + endpoint.address() + "\"]}\n");
    return endpoint;
  }

  @Test
  void aRequestWhoseStreamWasRefusedIsSentAgainWhateverItsMethod() throws Exception {
    Upstream endpoint =
        endpoint(request -> request.response().reset(Http2Error.REFUSED_STREAM.code()));

    try (RawClient raw = raw()) {
      assertThat(raw.write(POST).answer()).startsWith("HTTP/1.1 200").endsWith("hello");
    }
    assertThat(endpoint.requests()).isEqualTo(2);
    assertThat(metric("orrery_router_retries_total")).isEqualTo(1);
  }

  @Test
  void aRequestBehindTheLastOneOfAConnectionIsSentAgainOnAnother() throws Exception {
    Upstream endpoint = endpoint(request -> request.connection().goAway(0, 0));

    try (RawClient raw = raw()) {
      assertThat(raw.write(POST).answer()).startsWith("HTTP/1.1 200").endsWith("hello");
      assertThat(raw.write(POST).answer()).startsWith("HTTP/1.1 200").endsWith("hello");
    }
    assertThat(endpoint.requests()).isEqualTo(3);
  }

  @Test
  void aRequestThatMayHaveBeenProcessedIsNotSentAgain() throws Exception {
    Upstream endpoint =
        endpoint(request -> request.response().reset(Http2Error.INTERNAL_ERROR.code()));

    try (RawClient raw = raw()) {
      assertThat(raw.write(POST).answer()).startsWith("HTTP/1.1 502");
    }
    assertThat(endpoint.requests()).isEqualTo(1);
  }

  /** What the router has not kept its client may send again: it is told so. */
  @Test
  void aRefusalOfABodyThatFlowsReachesAClientOfHttp2() throws Exception {
    endpoint(request ->
        request.handler(piece -> request.response().reset(Http2Error.REFUSED_STREAM.code())));
    HttpClient http2 =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));

    Future<Long> code =
        Future.future(told ->
            vertx.runOnContext(turn ->
                http2
                    .request(to(HttpMethod.POST, "a", "/"))
                    .onFailure(told::fail)
                    .onSuccess(request -> {
                      request
                          .response()
                          .onComplete(answer ->
                              told.complete(
                                  answer.cause() instanceof StreamResetException reset
                                      ? reset.getCode()
                                      : -1L));
                      request.setChunked(true).write("hello");
                    })));
    assertThat(code.await(10, SECONDS)).isEqualTo(Http2Error.REFUSED_STREAM.code());
    http2.close().await(5, SECONDS);
  }
}
