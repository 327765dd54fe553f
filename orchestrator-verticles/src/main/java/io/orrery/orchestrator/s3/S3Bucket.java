package io.orrery.orchestrator.s3;

import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a bucket. A store that cannot be reached, or is overloaded, is a Problem that may
 * pass; what it refuses is an {@link IOException} in its words. Blocks, and is thread safe.
 */
public final class S3Bucket implements AutoCloseable {
  /** Larger files are sent in parts of this size. */
  private static final long PART = 64L << 20;

  private static final int MOST_PARTS = 10_000;
  private static final int TRIES = 3;
  private static final Duration CONNECTING = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** How long a store may take to put the parts of an object together. */
  private static final Duration JOINING = Duration.ofMinutes(10);

  /** Bytes in a second that the slowest store takes. */
  private static final long SLOWEST = 256 << 10;

  private static final Duration LATER = Duration.ofSeconds(2);
  private static final String EMPTY = Sha256.hex("");
  private static final Pattern UPLOAD = Pattern.compile("<UploadId>([^<]+)</UploadId>");
  private static final Pattern CODE = Pattern.compile("<Code>([^<]{1,100})");
  private static final Pattern MESSAGE = Pattern.compile("<Message>([^<]{1,300})");

  private final S3Settings settings;
  private final Supplier<SignatureV4> signatures;
  private final Clock clock;
  private final HttpClient client;
  private final long part;

  /**
   * @param keys gives access key and secret key of the settings; asked for each request
   */
  public S3Bucket(S3Settings settings, Clock clock, Supplier<Keys> keys) {
    this(settings, clock, keys, PART);
  }

  S3Bucket(S3Settings settings, Clock clock, Supplier<Keys> keys, long part) {
    this.settings = settings;
    this.clock = clock;
    this.part = part;
    this.signatures =
        () -> {
          Keys opened = keys.get();
          return new SignatureV4(opened.accessKey(), opened.secretKey(), settings.region());
        };
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTING)
            .build();
  }

  /** The opened keys of an account. */
  public record Keys(String accessKey, String secretKey) {
    /** Nothing of them. */
    @Override
    public String toString() {
      return "Keys";
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  /** Checks that the bucket is there and that the account may list it. */
  public void check() throws IOException {
    expect(send("GET", uri("", "list-type=2&max-keys=1"), Body.NONE), "list its objects");
  }

  /**
   * Stores a file as an object, whole or not at all.
   *
   * @param digest its SHA-256, which the store compares
   */
  public void put(String name, Path file, String digest) throws IOException {
    long bytes = Files.size(file);
    if (bytes <= part) {
      expect(send("PUT", uri(name, null), Body.of(file, 0, bytes, digest)), "store " + name);
    } else {
      putInParts(name, file, bytes);
    }
  }

  private void putInParts(String name, Path file, long bytes) throws IOException {
    long size = Math.max(part, Math.ceilDiv(bytes, MOST_PARTS));
    String begun = expect(send("POST", uri(name, "uploads="), Body.NONE), "store " + name);
    Matcher found = UPLOAD.matcher(begun);
    if (!found.find()) {
      throw new IOException("the S3 store answered the beginning of an upload without its id");
    }
    String upload = "uploadId=" + URLEncoder.encode(found.group(1), StandardCharsets.UTF_8);
    boolean complete = false;
    try {
      List<String> tags = new ArrayList<>();
      for (long at = 0; at < bytes; at += size) {
        long length = Math.min(size, bytes - at);
        HttpResponse<byte[]> sent =
            send(
                "PUT",
                uri(name, "partNumber=" + (tags.size() + 1) + "&" + upload),
                Body.of(file, at, length, digest(file, at, length)));
        expect(sent, "store a part of " + name);
        tags.add(
            sent.headers()
                .firstValue("ETag")
                .orElseThrow(() -> new IOException("the S3 store gave a part no tag")));
      }
      StringBuilder list = new StringBuilder("<CompleteMultipartUpload>");
      for (int i = 0; i < tags.size(); i++) {
        list.append(
            "<Part><PartNumber>%d</PartNumber><ETag>%s</ETag></Part>"
                .formatted(i + 1, tags.get(i).replace("\"", "&quot;")));
      }
      byte[] text =
          list.append("</CompleteMultipartUpload>").toString().getBytes(StandardCharsets.UTF_8);
      String answer =
          expect(
              send(
                  "POST",
                  uri(name, upload),
                  new Body(
                      BodyPublishers.ofByteArray(text), text.length, Sha256.hex(text), JOINING)),
              "store " + name);
      // A failure can come after the status was sent.
      if (answer.contains("<Error>")) {
        throw refusal(200, answer, "store " + name);
      }
      complete = true;
    } finally {
      if (!complete) {
        abandon(name, upload);
      }
    }
  }

  /** What cannot be abandoned now, a rule of the bucket ends. */
  private void abandon(String name, String upload) {
    try {
      send("DELETE", uri(name, upload), Body.NONE);
    } catch (IOException | RuntimeException failure) {
      // The first failure says what is wrong.
    }
  }

  /** When an object was stored; empty when it is not there. */
  public Optional<Instant> storedAt(String name) throws IOException {
    HttpResponse<byte[]> head = send("HEAD", uri(name, null), Body.NONE);
    if (head.statusCode() == 404) {
      return Optional.empty();
    }
    expect(head, "look at " + name);
    try {
      return Optional.of(
          DateTimeFormatter.RFC_1123_DATE_TIME.parse(
              head.headers().firstValue("Last-Modified").orElse(""), Instant::from));
    } catch (DateTimeException e) {
      throw new IOException("the S3 store does not say when " + name + " was stored", e);
    }
  }

  /**
   * Some bytes of an object; none behind its end.
   *
   * @return null when it is not there
   */
  public byte @Nullable [] read(String name, long offset, int limit) throws IOException {
    HttpResponse<byte[]> sent =
        send("GET", uri(name, null), Body.NONE, "bytes=" + offset + "-" + (offset + limit - 1));
    return switch (sent.statusCode()) {
      case 404 -> null;
      case 416 -> new byte[0];
      case 206 -> sent.body();
      // A store without ranges sends all.
      case 200 -> {
        byte[] all = sent.body();
        int from = (int) Math.min(all.length, offset);
        yield Arrays.copyOfRange(all, from, (int) Math.min(all.length, offset + limit));
      }
      default -> {
        expect(sent, "read " + name);
        throw new IOException("the S3 store answered " + sent.statusCode());
      }
    };
  }

  /** Deletes an object; one that is not there is no failure. */
  public void delete(String name) throws IOException {
    HttpResponse<byte[]> sent = send("DELETE", uri(name, null), Body.NONE);
    if (sent.statusCode() != 404) {
      expect(sent, "delete " + name);
    }
  }

  // ---- requests ------------------------------------------------------------------------------

  /**
   * A body that can be sent again.
   *
   * @param patience how long the answer may take, besides the time to send it
   */
  private record Body(BodyPublisher publisher, long bytes, String digest, Duration patience) {
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

  private static String digest(Path file, long offset, long bytes) throws IOException {
    MessageDigest digest = Sha256.begin();
    try (InputStream from = section(file, offset, bytes)) {
      from.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private URI uri(String name, @Nullable String query) {
    return URI.create(
        "%s/%s%s%s"
            .formatted(
                settings.endpoint(),
                settings.bucket(),
                name.isEmpty() ? "" : "/" + settings.prefix() + name,
                query == null ? "" : "?" + query));
  }

  private HttpResponse<byte[]> send(String method, URI uri, Body body) throws IOException {
    return send(method, uri, body, null);
  }

  /** Sends a request, again when the store could not take it for the moment. */
  private HttpResponse<byte[]> send(String method, URI uri, Body body, @Nullable String range)
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
      } catch (IOException e) {
        if (attempt == TRIES) {
          throw unreachable(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
      }
    }
  }

  private HttpResponse<byte[]> once(String method, URI uri, Body body, @Nullable String range)
      throws IOException {
    TreeMap<String, String> more = new TreeMap<>();
    if (range != null) {
      more.put("range", range);
    }
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, body.publisher());
    signatures
        .get()
        .sign(method, uri, more, body.digest(), clock.now())
        .forEach(request::setHeader);
    CompletableFuture<HttpResponse<byte[]>> sent =
        client.sendAsync(request.build(), BodyHandlers.ofByteArray());
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

  private String expect(HttpResponse<byte[]> response, String wanted) throws IOException {
    String text = new String(response.body(), StandardCharsets.UTF_8);
    if (response.statusCode() / 100 != 2) {
      throw refusal(response.statusCode(), text, wanted);
    }
    return text;
  }

  private IOException refusal(int status, String body, String wanted) {
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
