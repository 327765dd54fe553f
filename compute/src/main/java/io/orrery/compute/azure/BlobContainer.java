package io.orrery.compute.azure;

import io.orrery.core.text.Percent;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;

/**
 * A client for one container of Azure Blob Storage, by the REST API with the account's key.
 * Everything here blocks, and fails with Refused when Azure does not want to, Busy when trying
 * again may help.
 */
public final class BlobContainer {
  private static final String POINTER = "/sharedStorage/containerName";
  private static final String KEY_POINTER = "/sharedStorage/storageAccountKey";

  /** What goes in one request: a slow line must be done with it in its time. */
  private static final int BLOCK = 4 << 20;

  private final String url;
  private final String name;
  private final SharedKey key;
  private final InstantSource clock;

  /**
   * @param key the account's, Base64
   */
  public BlobContainer(
      AzureCloud cloud, String account, String key, String container, InstantSource clock) {
    this.url = cloud.blobs().formatted(account) + "/" + container;
    this.name = account + "/" + container;
    this.key = new SharedKey(account, key, KEY_POINTER);
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
      throw AzureHttp.failure(response, wanted, POINTER);
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
      throw AzureHttp.failure(response, wanted, POINTER);
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
    String to = url + "/" + encoded(blob);
    String wanted = "put " + blob + " into the container " + name;
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
              Map.of(),
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

  /** All of the same length, as Azure wants them. */
  private static String id(int number) {
    return Base64.getEncoder()
        .encodeToString("%08d".formatted(number).getBytes(StandardCharsets.US_ASCII));
  }

  private static void insist(HttpResponse<String> response, String wanted) {
    if (response.statusCode() != 201) {
      throw AzureHttp.failure(response, wanted, POINTER);
    }
  }

  private HttpResponse<String> send(
      String method, String to, Map<String, String> headers, BodyPublisher body, String wanted) {
    return AzureHttp.send(key.sign(method, to, headers, body, clock.instant()), wanted);
  }

  private static String encoded(String blob) {
    return Percent.encoded(blob).replace("%2F", "/");
  }
}
