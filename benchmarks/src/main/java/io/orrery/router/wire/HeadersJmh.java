package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The head of a request, read, judged and written as an endpoint gets it, and the head of an answer
 * the way back. In the package of what it measures, which nobody else needs to see.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "-XX:+UseSerialGC",
      "-XX:+UseCompactObjectHeaders",
      "--enable-native-access=ALL-UNNAMED"
    })
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HeadersJmh {
  /** Of a load program, of a browser, and of one that came through another proxy. */
  @Param({"short", "browser", "forwarded"})
  public String kind = "short";

  private final RequestHead request = new RequestHead();
  private final ResponseHead response = new ResponseHead();
  private byte[] asked = {};
  private final byte[] answered =
      ascii(
          "HTTP/1.1 200 OK",
          "Server: endpoint",
          "Content-Type: application/json",
          "Connection: keep-alive",
          "Content-Length: 1024");
  private final Introduction introduction =
      new Introduction("192.0.2.7", "resnet.service.orrery.localhost");

  @Setup
  public void say() {
    String[] few = {
      "GET /v2/models/resnet/infer HTTP/1.1",
      "Host: resnet.service.orrery.localhost",
      "User-Agent: load",
      "Accept: */*"
    };
    String[] many = {
      "GET /v2/models/resnet/infer?version=3 HTTP/1.1",
      "Host: resnet.service.orrery.localhost",
      "Connection: keep-alive",
      "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)",
      "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
      "Accept-Language: en-GB,en;q=0.7,de;q=0.3",
      "Accept-Encoding: gzip, deflate, br",
      "Referer: http://resnet.service.orrery.localhost/",
      "Cookie: session=8f14e45fceea167a5a36dedd4bea2543; theme=dark",
      "Cache-Control: no-cache",
      "Sec-Fetch-Mode: navigate",
      "Sec-Fetch-Site: same-origin"
    };
    asked =
        switch (kind) {
          case "short" -> ascii(few);
          case "browser" -> ascii(many);
          case "forwarded" ->
              ascii(few[0], few[1], "X-Forwarded-For: 198.51.100.4, 203.0.113.9", "Via: 1.1 edge");
          default -> throw new IllegalArgumentException("there is no head " + kind);
        };
  }

  private static byte[] ascii(String... lines) {
    return (String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  @Benchmark
  public int request() {
    request.read(asked, asked.length);
    request.from("192.0.2.7");
    ByteBuf out = HeadWriter.request(PooledByteBufAllocator.DEFAULT, request, introduction, 0);
    int bytes = out.readableBytes();
    out.release();
    return bytes;
  }

  @Benchmark
  public int answer() {
    response.read(answered, answered.length);
    ByteBuf out = HeadWriter.response(PooledByteBufAllocator.DEFAULT, response, false, false, 0);
    int bytes = out.readableBytes();
    out.release();
    return bytes;
  }
}
