package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.time.VirtualClock;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.DateField;
import io.orrery.router.policy.PassGuard;
import io.orrery.router.route.ClientAddress;
import io.orrery.router.route.OriginAccess;
import io.orrery.router.route.RouteReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
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
 * the way back. In the package of what it measures, which other packages need not see.
 */
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
  private static byte[] ascii(String... lines) {
    return (String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  /** The requests of clients. */
  @State(Scope.Thread)
  public static class Asked {
    /** Of a load program, of a browser, and of one that came through another proxy. */
    @Param({"short", "browser", "forwarded"})
    public String kind = "short";

    private final RequestHead head = new RequestHead();
    private final ForwardedHeaders introduction =
        ForwardedHeaders.ofHttp1(
            ClientAddress.of("192.0.2.7"), "http", "resnet.service.orrery.localhost");
    private final ClientAddress client = ClientAddress.of("192.0.2.7");
    private byte[] bytes = {};

    @Setup
    public void say() {
      String line = "GET /v2/models/resnet/infer HTTP/1.1";
      String host = "Host: resnet.service.orrery.localhost";
      bytes =
          switch (kind) {
            case "short" -> ascii(line, host, "User-Agent: load", "Accept: */*");
            case "browser" ->
                ascii(
                    line,
                    host,
                    "Connection: keep-alive",
                    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0",
                    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                    "Accept-Language: en-GB,en;q=0.7,de;q=0.3",
                    "Accept-Encoding: gzip, deflate, br",
                    "Referer: http://resnet.service.orrery.localhost/",
                    "Cookie: session=8f14e45fceea167a5a36dedd4bea2543; theme=dark",
                    "Cache-Control: no-cache",
                    "Sec-Fetch-Mode: navigate",
                    "Sec-Fetch-Site: same-origin");
            case "forwarded" ->
                ascii(line, host, "X-Forwarded-For: 198.51.100.4, 203.0.113.9", "Via: 1.1 edge");
            default -> throw new IllegalArgumentException("there is no head " + kind);
          };
    }
  }

  /** The requests of a page of a guarded service. */
  @State(Scope.Thread)
  public static class Guarded {
    private final OriginPasses passes = new OriginPasses(new byte[32]);
    private final PassGuard guard = new PassGuard(passes, new VirtualClock(Instant.now()));
    private final RequestHead head = new RequestHead();
    private final ForwardedHeaders introduction =
        ForwardedHeaders.ofHttp1(
            ClientAddress.of("192.0.2.7"), "http", "lab.service.orrery.localhost");
    private final ServiceState owner =
        LiveTable.of(
                RouteReader.read(
                    """
                    services:
                      - {name: lab, endpoints: ["127.0.0.1:1"], access: {audience: lab},
                         inject: {authorization: derived}}
                    """,
                    "orrery.localhost"),
                1)
            .states()
            .getFirst();
    private final OriginAccess access = new OriginAccess("lab", 0, true);

    private final byte[] bytes =
        ascii(
            "GET /v2/models/resnet/infer HTTP/1.1",
            "Host: lab.service.orrery.localhost",
            "User-Agent: load",
            "Accept: */*",
            "Cookie: _xsrf=1; orrery_pass_lab=" + passes.pass("lab", 0, Instant.now()));
  }

  /** The answers of an endpoint. */
  @State(Scope.Thread)
  public static class Answered {
    private final ResponseHead head = new ResponseHead();
    private final byte[] bytes =
        ascii(
            "HTTP/1.1 200 OK",
            "Server: endpoint",
            "Content-Type: application/json",
            "Connection: keep-alive",
            "Content-Length: 1024");
  }

  @Benchmark
  public int request(Asked asked) {
    asked.head.read(asked.bytes, asked.bytes.length);
    asked.head.from(asked.client, "http");
    return size(
        HeadWriter.request(PooledByteBufAllocator.DEFAULT, asked.head, asked.introduction, 0));
  }

  /** Beside {@code short}: what a guard adds. */
  @Benchmark
  public int guarded(Guarded asked) {
    asked.head.read(asked.bytes, asked.bytes.length);
    if (!(asked.guard.judge(asked.head, asked.access, asked.introduction.authority())
        instanceof PassGuard.Verdict.Granted)) {
      throw new IllegalStateException("the pass has ended");
    }
    return size(
        HeadWriter.rewritten(
            PooledByteBufAllocator.DEFAULT,
            asked.head,
            asked.owner,
            asked.guard,
            asked.introduction,
            0));
  }

  @Benchmark
  public int answer(Answered answered) {
    answered.head.read(answered.bytes, answered.bytes.length);
    return size(
        HeadWriter.response(
            PooledByteBufAllocator.DEFAULT, answered.head, false, false, 0, new DateField()));
  }

  private static int size(ByteBuf written) {
    int bytes = written.readableBytes();
    written.release();
    return bytes;
  }
}
