package io.orrery.journeys.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A router whose table has very many services, with the heap that it has by itself for 100,000
 * ({@code -Dorrery.routes=100000}), and a quarter of that for 25,000.
 */
class ManyRoutesIT {
  private static final int SERVICES = Integer.getInteger("orrery.routes", 25_000);
  private static final Pattern ADMIN = Pattern.compile("its admin port at (http://\\S+)");

  @TempDir private Path directory;

  @Test
  void aTableOfVeryManyServicesIsReadReplacedAndShown() throws Exception {
    String services =
        IntStream.range(0, SERVICES)
            .mapToObj(
                "  - {name: s%d, endpoints: ['127.0.0.1:1'], limits: {pending: 9}}\n"::formatted)
            .collect(Collectors.joining("", "services:\n", ""));
    Path file = directory.resolve("routes.yml");
    Files.writeString(file, "listen: {port: 0}\nadmin: {port: 0}\n" + services);
    Path log = Files.createFile(directory.resolve("router.log"));
    ProcessBuilder command =
        new ProcessBuilder(ServerProcess.command("route", "--config", file.toString()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    command.environment().put("ORRERY_JAVA_OPTS", "-Xmx" + (64 + SERVICES / 250) + "m -Xmn16m");
    Process router = command.start();
    try (HttpClient client = HttpClient.newHttpClient()) {
      await()
          .atMost(Duration.ofSeconds(120))
          .until(() -> ADMIN.matcher(Files.readString(log)).find() || !router.isAlive());
      Matcher admin = ADMIN.matcher(Files.readString(log));
      assertThat(admin.find()).as(Files.readString(log)).isTrue();
      URI routes = URI.create(admin.group(1) + "/api/v1/routes");

      assertThat(shown(client, HttpRequest.newBuilder(routes).GET())).hasSize(SERVICES);
      assertThat(
              shown(client, HttpRequest.newBuilder(routes).PUT(BodyPublishers.ofString(services))))
          .hasSize(SERVICES);
    } finally {
      router.destroyForcibly().onExit().join();
    }
  }

  private static JsonNode shown(HttpClient client, HttpRequest.Builder request) throws Exception {
    HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    return Json.parse(answer.body()).path("services");
  }
}
