package io.orrery.orchestrator.s3;

import io.orrery.core.digest.Sha256;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.objects.RemoteObjects;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A store with the objects below a prefix of a bucket. */
public final class S3Bucket implements RemoteObjects {
  /** Larger files are sent in parts of this size. */
  private static final long PART = 64L << 20;

  private static final int MOST_PARTS = 10_000;

  /** How long a store may take to put the parts of an object together. */
  private static final Duration JOINING = Duration.ofMinutes(10);

  private static final String CHECKED = "orrery";
  private static final Pattern UPLOAD = Pattern.compile("<UploadId>([^<]+)</UploadId>");

  private final S3Settings settings;
  private final S3Requests requests;
  private final long part;

  /**
   * @param keys gives access key and secret key of the settings; asked for each request
   */
  public S3Bucket(S3Settings settings, Clock clock, Supplier<Keys> keys) {
    this(settings, clock, keys, PART);
  }

  S3Bucket(S3Settings settings, Clock clock, Supplier<Keys> keys, long part) {
    this.settings = settings;
    this.part = part;
    this.requests = new S3Requests(settings, clock, keys);
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
    requests.close();
  }

  /** Checks that the account may do so below the prefix. */
  @Override
  public void check() throws IOException {
    byte[] content = CHECKED.getBytes(StandardCharsets.UTF_8);
    String name = "check-" + UUID.randomUUID();
    requests.expect(
        requests.send(
            "PUT",
            requests.uri(name, null),
            new S3Requests.Body(
                BodyPublishers.ofByteArray(content), content.length, Sha256.hex(content))),
        "store objects below " + settings.prefix());
    byte[] back = read(name, 0, content.length);
    delete(name);
    if (!Arrays.equals(back, content)) {
      throw new IOException("the S3 store did not give back what it was given to check it");
    }
  }

  /** The store compares the digest. */
  @Override
  public void put(String name, Path file, String digest) throws IOException {
    long bytes = Files.size(file);
    if (bytes <= part) {
      requests.expect(
          requests.send(
              "PUT", requests.uri(name, null), S3Requests.Body.of(file, 0, bytes, digest)),
          "store " + name);
    } else {
      putInParts(name, file, bytes);
    }
  }

  private void putInParts(String name, Path file, long bytes) throws IOException {
    long size = Math.max(part, Math.ceilDiv(bytes, MOST_PARTS));
    String begun =
        requests.expect(
            requests.send("POST", requests.uri(name, "uploads="), S3Requests.Body.NONE),
            "store " + name);
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
            requests.send(
                "PUT",
                requests.uri(name, "partNumber=" + (tags.size() + 1) + "&" + upload),
                S3Requests.Body.of(file, at, length, S3Requests.digest(file, at, length)));
        requests.expect(sent, "store a part of " + name);
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
          requests.expect(
              requests.send(
                  "POST",
                  requests.uri(name, upload),
                  new S3Requests.Body(
                      BodyPublishers.ofByteArray(text), text.length, Sha256.hex(text), JOINING)),
              "store " + name);
      // A failure can come after the status was sent.
      if (answer.contains("<Error>")) {
        throw requests.refusal(200, answer, "store " + name);
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
      requests.send("DELETE", requests.uri(name, upload), S3Requests.Body.NONE);
    } catch (IOException | RuntimeException failure) {
      // The first failure says what is wrong.
    }
  }

  @Override
  public Optional<Instant> storedAt(String name) throws IOException {
    HttpResponse<byte[]> head =
        requests.send("HEAD", requests.uri(name, null), S3Requests.Body.NONE);
    if (head.statusCode() == 404) {
      return Optional.empty();
    }
    requests.expect(head, "look at " + name);
    try {
      return Optional.of(
          DateTimeFormatter.RFC_1123_DATE_TIME.parse(
              head.headers().firstValue("Last-Modified").orElse(""), Instant::from));
    } catch (DateTimeException e) {
      throw new IOException("the S3 store does not say when " + name + " was stored", e);
    }
  }

  @Override
  public byte @Nullable [] read(String name, long offset, int limit) throws IOException {
    HttpResponse<byte[]> sent =
        requests.send(
            "GET",
            requests.uri(name, null),
            S3Requests.Body.NONE,
            new S3Requests.Range(offset, limit));
    return switch (sent.statusCode()) {
      case 404 -> null;
      case 416 -> new byte[0];
      // A store without ranges sends all, and the piece alone is taken.
      case 200, 206 -> sent.body();
      default -> {
        requests.expect(sent, "read " + name);
        throw new IOException("the S3 store answered " + sent.statusCode());
      }
    };
  }

  @Override
  public void delete(String name) throws IOException {
    HttpResponse<byte[]> sent =
        requests.send("DELETE", requests.uri(name, null), S3Requests.Body.NONE);
    if (sent.statusCode() != 404) {
      requests.expect(sent, "delete " + name);
    }
  }
}
