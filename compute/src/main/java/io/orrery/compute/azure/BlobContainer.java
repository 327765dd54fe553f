package io.orrery.compute.azure;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Percent;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client for one container of Azure Blob Storage, by the REST API with the account's key.
 * Everything here blocks, and fails with Refused when Azure does not want to, Busy when trying
 * again may help.
 */
public final class BlobContainer {
  private static final Pointers SHARED_STORAGE =
      new Pointers("/sharedStorage/containerName", "/sharedStorage/storageAccountKey");

  private static final int TRIES = 3;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

  /** What goes in one request: a slow line must be done with it in its time. */
  private static final int BLOCK = 4 << 20;

  private static final int LONGEST_REFUSAL = 64 << 10;

  private final String url;
  private final String name;
  private final SharedKey key;
  private final String pointer;
  private final InstantSource clock;

  /** The places where a configuration names a container, and the key of its account. */
  public record Pointers(String container, String key) {}

  /**
   * A container that the configuration of an experiment names.
   *
   * @param key the account's, Base64
   */
  public BlobContainer(
      AzureCloud cloud, String account, String key, String container, InstantSource clock) {
    this(cloud.blobs().formatted(account), account, key, container, SHARED_STORAGE, clock);
  }

  /**
   * @param blobs the URL of the account's Blob Storage, without a trailing slash
   * @param key the account's, Base64
   */
  public BlobContainer(
      String blobs,
      String account,
      String key,
      String container,
      Pointers pointers,
      InstantSource clock) {
    this.url = blobs + "/" + container;
    this.name = account + "/" + container;
    this.key = new SharedKey(account, key, pointers.key());
    this.pointer = pointers.container();
    this.clock = clock;
  }

  /** Where it is. */
  public String url() {
    return url;
  }

  /** Whether there is such a container. */
  public boolean exists() {
    String wanted = "look at the container " + name;
    HttpResponse<String> response =
        send("GET", url + "?restype=container", Map.of(), BodyPublishers.noBody(), wanted);
    if (response.statusCode() != 200 && response.statusCode() != 404) {
      throw AzureHttp.failure(response, wanted, pointer);
    }
    return response.statusCode() == 200;
  }

  /** Makes it, unless it is there. */
  public void create() {
    String wanted = "create the container " + name;
    HttpResponse<String> response =
        send("PUT", url + "?restype=container", Map.of(), BodyPublishers.noBody(), wanted);
    boolean there =
        response.statusCode() == 409 && response.body().contains("ContainerAlreadyExists");
    if (response.statusCode() != 201 && !there) {
      throw AzureHttp.failure(response, wanted, pointer);
    }
  }

  /**
   * Puts a file there, in the place of what has its name: block by block, so that readers see the
   * old one or the new one.
   *
   * @param blob its name, with slashes
   * @param file may grow meanwhile; what it had at first is put
   */
  public void put(String blob, Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      put(blob, channel);
    }
  }

  /** The same of a file that is open. */
  public void put(String blob, FileChannel channel) throws IOException {
    String to = address(blob);
    String wanted = "put %s into the container %s".formatted(blob, name);
    long size = channel.size();
    StringBuilder blocks =
        new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>");
    int number = 0;
    for (long at = 0; at < size; number++) {
      ByteBuffer piece = ByteBuffer.allocate((int) Math.min(BLOCK, size - at));
      at += read(channel, piece, at);
      String id = id(number);
      insist(
          send(
              "PUT",
              to + "?comp=block&blockid=" + Percent.encoded(id),
              Map.of(SharedKey.MD5, md5(piece)),
              BodyPublishers.ofByteArray(piece.array(), 0, piece.position()),
              wanted),
          wanted);
      blocks.append("<Latest>").append(id).append("</Latest>");
    }
    insist(
        send(
            "PUT",
            to + "?comp=blocklist",
            Map.of(),
            BodyPublishers.ofString(blocks.append("</BlockList>").toString()),
            wanted),
        wanted);
  }

  private static int read(FileChannel channel, ByteBuffer piece, long at) throws IOException {
    while (piece.hasRemaining()) {
      if (channel.read(piece, at + piece.position()) < 0) {
        throw new IOException("it became shorter while it was put");
      }
    }
    return piece.position();
  }

  private static String md5(ByteBuffer piece) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      digest.update(piece.duplicate().flip());
      return Base64.getEncoder().encodeToString(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  /** All of the same length, as Azure wants them. */
  private static String id(int number) {
    return Base64.getEncoder()
        .encodeToString("%08d".formatted(number).getBytes(StandardCharsets.US_ASCII));
  }

  private void insist(HttpResponse<String> response, String wanted) {
    if (response.statusCode() != 201) {
      throw AzureHttp.failure(response, wanted, pointer);
    }
  }

  /** When a blob was stored; empty when it is not there. */
  public Optional<Instant> storedAt(String blob) throws IOException {
    String wanted = "look at %s in the container %s".formatted(blob, name);
    HttpResponse<String> response =
        send("HEAD", address(blob), Map.of(), BodyPublishers.noBody(), wanted);
    if (response.statusCode() == 404) {
      return Optional.empty();
    }
    if (response.statusCode() != 200) {
      throw AzureHttp.failure(response, wanted, pointer);
    }
    try {
      return Optional.of(
          DateTimeFormatter.RFC_1123_DATE_TIME.parse(
              response.headers().firstValue("Last-Modified").orElse(""), Instant::from));
    } catch (DateTimeException e) {
      throw new IOException(
          "Azure does not say when %s was put into the container %s".formatted(blob, name), e);
    }
  }

  /**
   * Some bytes of a blob; none behind its end.
   *
   * @return null when it is not there
   */
  public byte @Nullable [] read(String blob, long offset, int limit) throws IOException {
    String wanted = "read %s in the container %s".formatted(blob, name);
    HttpResponse<byte[]> response =
        send(
            "GET",
            address(blob),
            Map.of("x-ms-range", "bytes=%d-%d".formatted(offset, offset + limit - 1)),
            BodyPublishers.noBody(),
            BodyHandlers.limiting(BodyHandlers.ofByteArray(), Math.max(limit, LONGEST_REFUSAL)),
            wanted);
    return switch (response.statusCode()) {
      case 206 -> response.body();
      case 404 -> null;
      // Behind the end, or the blob is empty.
      case 416 -> new byte[0];
      case 200 -> throw new IOException("the store sends all of %s for a part".formatted(blob));
      default ->
          throw AzureHttp.failure(
              response.statusCode(),
              response.headers(),
              new String(response.body(), StandardCharsets.UTF_8),
              wanted,
              pointer);
    };
  }

  /** Deletes a blob; one that is not there is no failure. */
  public void delete(String blob) {
    String wanted = "delete %s in the container %s".formatted(blob, name);
    HttpResponse<String> response =
        send("DELETE", address(blob), Map.of(), BodyPublishers.noBody(), wanted);
    if (response.statusCode() != 202 && response.statusCode() != 404) {
      throw AzureHttp.failure(response, wanted, pointer);
    }
  }

  private HttpResponse<String> send(
      String method, String to, Map<String, String> headers, BodyPublisher body, String wanted) {
    return send(method, to, headers, body, BodyHandlers.ofString(), wanted);
  }

  /** Sends a request, again when Azure could not take it for the moment. */
  private <T> HttpResponse<T> send(
      String method,
      String to,
      Map<String, String> headers,
      BodyPublisher body,
      BodyHandler<T> handler,
      String wanted) {
    for (int attempt = 1; ; attempt++) {
      try {
        HttpResponse<T> response =
            AzureHttp.send(key.sign(method, to, headers, body, clock.instant()), handler, wanted);
        if (attempt == TRIES || !AzureHttp.passes(response.statusCode())) {
          return response;
        }
      } catch (ProblemException e) {
        if (attempt == TRIES || !(e.problem() instanceof Problem.Busy)) {
          throw e;
        }
      }
      pause(attempt);
    }
  }

  /**
   * Waits before the next attempt: twice as long each time, and those that failed together not
   * equally long.
   */
  private static void pause(int attempt) {
    long millis = FIRST_PAUSE.toMillis() << (attempt - 1);
    try {
      TimeUnit.MILLISECONDS.sleep(millis + ThreadLocalRandom.current().nextLong(millis));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String address(String blob) {
    return url + "/" + encoded(blob);
  }

  private static String encoded(String blob) {
    return Percent.encoded(blob).replace("%2F", "/");
  }
}
