package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** An event stream or WebSocket that is read until the server ends it. */
final class OpenStream {
  private final CompletableFuture<Instant> end;
  private final StringBuffer text;

  private OpenStream(CompletableFuture<Instant> end, StringBuffer text) {
    this.end = end;
    this.text = text;
  }

  /** The event stream of a server, with headers of the caller; it has begun. */
  static OpenStream events(HttpClient client, URI server, String... headers) throws Exception {
    HttpResponse<InputStream> stream =
        client.send(
            HttpRequest.newBuilder(server.resolve("/api/v1/events")).headers(headers).build(),
            BodyHandlers.ofInputStream());
    assertThat(stream.statusCode()).isEqualTo(200);
    CompletableFuture<Instant> end = new CompletableFuture<>();
    StringBuffer text = new StringBuffer();
    Thread.ofVirtual()
        .start(() -> {
          readToEnd(stream.body(), text);
          end.complete(Instant.now());
        });
    return new OpenStream(end, text);
  }

  /** A WebSocket, which is open. */
  static OpenStream socket(HttpClient client, URI server, String path, String cookie) {
    CompletableFuture<Instant> end = new CompletableFuture<>();
    client
        .newWebSocketBuilder()
        .header("Cookie", cookie)
        .buildAsync(
            URI.create(server.resolve(path).toString().replaceFirst("http", "ws")),
            new WebSocket.Listener() {
              @Override
              public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
                end.complete(Instant.now());
                return null;
              }

              @Override
              public void onError(WebSocket socket, Throwable error) {
                end.complete(Instant.now());
              }
            })
        .join();
    return new OpenStream(end, new StringBuffer());
  }

  private static void readToEnd(InputStream body, StringBuffer text) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null) {
        text.append(line).append('\n');
        line = lines.readLine();
      }
    } catch (IOException e) {
      // A connection that is closed ends the stream too.
    }
  }

  /** The events that the stream has told so far. */
  String told() {
    return text.toString();
  }

  boolean isOpen() {
    return !end.isDone();
  }

  /** Waits for the end of the stream; the time at which it ended. */
  Instant end() {
    assertThat(end).succeedsWithin(Duration.ofSeconds(60));
    return end.join();
  }
}
