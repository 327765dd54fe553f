package io.orrery.compute.azure;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.Map;

/** Reads a blob, which the server never does. */
public final class BlobReading {
  private BlobReading() {}

  public static byte[] read(
      AzureCloud cloud, String account, String key, String container, String blob)
      throws IOException, InterruptedException {
    String url =
        cloud.blobs().formatted(account) + "/" + container + "/" + blob.replace(" ", "%20");
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
        throw new IOException(blob + ": HTTP " + response.statusCode());
      }
      return response.body();
    }
  }
}
