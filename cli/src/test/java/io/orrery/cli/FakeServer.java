package io.orrery.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Speaks the API's shapes: prepared answers, and a memory of what was asked. */
final class FakeServer implements AutoCloseable {
  private final HttpServer http;
  private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  record Answer(int status, String body) {}

  record Request(String line, String body, @Nullable String authorization) {}

  FakeServer() {
    this(0);
  }

  FakeServer(int port) {
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    http.createContext("/", this::handle);
    http.start();
    on("GET /health/ready", 200, "{\"status\":\"ready\"}");
  }

  String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  /** Prepares an answer; several for the same line are given in turn, the last one for ever. */
  FakeServer on(String methodAndPath, int status, String body) {
    answers
        .computeIfAbsent(methodAndPath, line -> new ArrayDeque<>())
        .add(new Answer(status, body));
    return this;
  }

  /** Prepares the only answer for a line, whatever was prepared before. */
  void replace(String methodAndPath, int status, String body) {
    answers.remove(methodAndPath);
    on(methodAndPath, status, body);
  }

  List<Request> requests() {
    return requests;
  }

  /** The request lines, with their queries. */
  List<String> lines() {
    return requests.stream().map(Request::line).toList();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      requests.add(
          new Request(
              method + " " + exchange.getRequestURI(),
              body,
              exchange.getRequestHeaders().getFirst("Authorization")));
      Answer answer = next(method + " " + exchange.getRequestURI().getPath());
      byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange
          .getResponseHeaders()
          .add(
              "Content-Type",
              answer.status() < 400 ? "application/json" : "application/problem+json");
      exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private Answer next(String line) {
    Deque<Answer> prepared = answers.get(line);
    if (prepared == null) {
      return new Answer(
          404, "{\"title\":\"There is no such thing\",\"detail\":\"Nothing is at " + line + ".\"}");
    }
    synchronized (prepared) {
      return prepared.size() > 1 ? prepared.removeFirst() : prepared.getFirst();
    }
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
