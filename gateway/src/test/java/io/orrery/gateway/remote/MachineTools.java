package io.orrery.gateway.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs that stand in for those of a machine, and requests over its forwarded port. */
final class MachineTools {
  private MachineTools() {}

  static void program(Path place, String name, String script) throws IOException {
    Path file = Files.writeString(place.resolve(name), "#!/bin/sh\n" + script + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  static int status(String url, String token) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(url))
                  .header("Authorization", "Bearer " + token)
                  .build(),
              BodyHandlers.discarding())
          .statusCode();
    }
  }
}
