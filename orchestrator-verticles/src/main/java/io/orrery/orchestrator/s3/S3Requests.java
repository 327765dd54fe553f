package io.orrery.orchestrator.s3;

import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sends signed requests to a bucket, again after a pause when the store is away. Blocks. */
final class S3Requests implements AutoCloseable {
  private static final int TRIES = 3;
  private static final Duration CONNECTING = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LATER = Duration.ofSeconds(2);
  private static final String EMPTY = Sha256.hex("");
  private static final Pattern CODE = Pattern.compile("<Code>([^<]{1,100})");
  private static final Pattern MESSAGE = Pattern.compile("<Message>([^<]{1,300})");

  /** Bytes in a second that the slowest store takes. */
  private static final long SLOWEST = 256 << 10;

  private final S3Settings settings;
  private final Supplier<SignatureV4> signatures;
  private final Clock clock;
  private final HttpClient client;

  S3Requests(S3Settings settings, Clock clock, Supplier<S3Bucket.Keys> keys) {
    this.settings = settings;
    this.clock = clock;
    this.signatures =
        () -> {
          S3Bucket.Keys opened = keys.get();
          return new SignatureV4(opened.accessKey(), opened.secretKey(), settings.region());
        };
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTING)
            .build();
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  /** The bytes of an object that a request is for. */
  record Range(long offset, int limit) {
    String header() {
      return "bytes=" + offset + "-" + (offset + limit - 1);
    }
  }

  /**
   * A body that can be sent again.
   *
   * @param patience how long the answer may take, besides the time to send it
   */
  record Body(BodyPublisher publisher, long bytes, String digest, Duration patience) {
    Body(BodyPublisher publisher, long bytes, String digest) {
      this(publisher, bytes, digest, PATIENCE);
    }

    static final Body NONE = new Body(BodyPublishers.noBody(), 0, EMPTY);

    /** A part of a file. */
    static Body of(Path file, long offset, long bytes, String digest) {
      if (bytes == 0) {
        return new Body(BodyPublishers.noBody(), 0, digest);
      }
      return new Body(
          BodyPublishers.fromPublisher(
              BodyPublishers.ofInputStream(() -> {
                try {
                  return section(file, offset, bytes);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }),
              bytes),
          bytes,
          digest);
    }
  }

  private static InputStream section(Path file, long offset, long bytes) throws IOException {
    FileChannel channel = FileChannel.open(file);
    channel.position(offset);
    return new FileSection(Channels.newInputStream(channel), bytes);
  }

  static String digest(Path file, long offset, long bytes) throws IOException {
    MessageDigest digest = Sha256.begin();
    try (InputStream from = section(file, offset, bytes)) {
      from.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  URI uri(String name, @Nullable String query) {
    return URI.create(
        "%s/%s%s%s"
            .formatted(
                settings.endpoint(),
                settings.bucket(),
                name.isEmpty() ? "" : "/" + settings.prefix() + name,
                query == null ? "" : "?" + query));
  }

  HttpResponse<byte[]> send(String method, URI uri, Body body) throws IOException {
    return send(method, uri, body, null);
  }

  /** Sends a request, again when the store could not take it for the moment. */
  HttpResponse<byte[]> send(String method, URI uri, Body body, @Nullable Range range)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        HttpResponse<byte[]> response = once(method, uri, body, range);
        if (response.statusCode() < 500 && response.statusCode() != 429) {
          return response;
        }
        if (attempt == TRIES) {
          throw unreachable("it answered " + response.statusCode());
        }
        pause(attempt, response.headers().firstValue("Retry-After").orElse(""));
      } catch (IOException e) {
        if (attempt == TRIES) {
          throw unreachable(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
        pause(attempt, "");
      }
    }
  }

  /** Waits before the next attempt: twice as long each time, or as long as the store says. */
  private static void pause(int attempt, String said) {
    long millis = FIRST_PAUSE.toMillis() << (attempt - 1);
    long wanted = said.matches("[0-9]{1,3}") ? 1_000 * Long.parseLong(said) : 0;
    long least = Math.max(millis, Math.min(wanted, LONGEST_PAUSE.toMillis()));
    // Those that failed together do not come back together.
    long drawn = least + ThreadLocalRandom.current().nextLong(millis);
    try {
      TimeUnit.MILLISECONDS.sleep(drawn);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpResponse<byte[]> once(String method, URI uri, Body body, @Nullable Range range)
      throws IOException {
    TreeMap<String, String> more = new TreeMap<>();
    if (range != null) {
      more.put("range", range.header());
    }
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, body.publisher());
    signatures
        .get()
        .sign(method, uri, more, body.digest(), clock.now())
        .forEach(request::setHeader);
    CompletableFuture<HttpResponse<byte[]>> sent =
        client.sendAsync(
            request.build(),
            range == null
                ? BodyHandlers.ofByteArray()
                : PieceBody.handler(range.offset(), range.limit()));
    try {
      return sent.get(
          body.patience().plusSeconds(body.bytes() / SLOWEST).toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      sent.cancel(true);
      throw new IOException("it did not answer in time", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } catch (InterruptedException e) {
      sent.cancel(true);
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private RuntimeException unreachable(String why) {
    return new Problem.Busy(
            "the S3 store at %s cannot be used: %s".formatted(settings.endpoint(), why), LATER)
        .toException();
  }

  String expect(HttpResponse<byte[]> response, String wanted) throws IOException {
    String text = new String(response.body(), StandardCharsets.UTF_8);
    if (response.statusCode() / 100 != 2) {
      throw refusal(response.statusCode(), text, wanted);
    }
    return text;
  }

  IOException refusal(int status, String body, String wanted) {
    Matcher code = CODE.matcher(body);
    Matcher message = MESSAGE.matcher(body);
    return new IOException(
        "the S3 store refused to %s in the bucket %s: %d%s%s"
            .formatted(
                wanted,
                settings.bucket(),
                status,
                code.find() ? " " + code.group(1) : "",
                message.find() ? ": " + message.group(1) : ""));
  }
}
