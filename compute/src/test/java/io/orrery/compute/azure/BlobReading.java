package io.orrery.compute.azure;

import io.orrery.core.text.Percent;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;

/** Reads and lists blobs apart from the client of the server. */
public final class BlobReading {
  private BlobReading() {}

  public static byte[] read(
      AzureCloud cloud, String account, String key, String container, String blob)
      throws IOException, InterruptedException {
    String url =
        cloud.blobs().formatted(account) + "/" + container + "/" + blob.replace(" ", "%20");
    return get(url, account, key);
  }

  /** The list of a container's blobs whose names have a prefix, as the service writes it. */
  public static String list(
      AzureCloud cloud, String account, String key, String container, String prefix)
      throws IOException, InterruptedException {
    String url =
        "%s/%s?restype=container&comp=list&prefix=%s"
            .formatted(cloud.blobs().formatted(account), container, Percent.encoded(prefix));
    return new String(get(url, account, key), StandardCharsets.UTF_8);
  }

  private static byte[] get(String url, String account, String key)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> response =
          client.send(
              new SharedKey(account, key, "")
                  .sign(
                      "GET",
                      url,
                      Map.of(),
                      BodyPublishers.noBody(),
                      InstantSource.system().instant()),
              BodyHandlers.ofByteArray());
      if (response.statusCode() != 200) {
        throw new IOException(url + ": HTTP " + response.statusCode());
      }
      return response.body();
    }
  }
}
