package io.orrery.journeys.experiments;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A Git server: the CGI program of Git itself, {@code git http-backend}, behind a port. The
 * repository {@code closed.git} wants a password, and {@code moved.git} is said to be elsewhere.
 */
final class GitServer implements AutoCloseable {
  static final String LOGIN = "robin:larch-91-canal";

  private final Path root;
  private final HttpServer http;

  private GitServer(Path root, HttpServer http) {
    this.root = root;
    this.http = http;
  }

  static GitServer start(Path root) throws IOException {
    Files.createDirectories(root);
    HttpServer http = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    GitServer server = new GitServer(root, http);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.createContext("/", server::answer);
    http.start();
    return server;
  }

  String url(String repository) {
    return "http://127.0.0.1:" + http.getAddress().getPort() + "/" + repository + ".git";
  }

  /** Makes a repository of some files by their paths; the commit. */
  String repository(String name, Map<String, String> files) throws Exception {
    Path work = Files.createDirectories(root.resolve("work-" + name));
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = work.resolve(file.getKey());
      Files.createDirectories(Objects.requireNonNull(path.getParent()));
      Files.writeString(path, file.getValue());
    }
    git(work, "init", "-q", "-b", "main");
    return commit(name);
  }

  /** The working tree of a repository. */
  Path work(String name) {
    return root.resolve("work-" + name);
  }

  /** Commits what a working tree has, and serves it. */
  String commit(String name) throws Exception {
    Path work = work(name);
    git(work, "add", "-A");
    git(work, "-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "-qm", "next");
    String bare = root.resolve(name + ".git").toString();
    git(work, "push", "-q", "--mirror", create(bare));
    return git(work, "rev-parse", "HEAD");
  }

  private String create(String bare) throws Exception {
    if (!Files.exists(Path.of(bare))) {
      git(root, "init", "-q", "--bare", "-b", "main", bare);
      git(Path.of(bare), "config", "http.receivepack", "false");
    }
    return bare;
  }

  /** Has a repository's branch end with so many names of one file. */
  void manyFiles(String name, int count) throws Exception {
    Path bare = root.resolve(name + ".git");
    String blob = git(bare, "rev-parse", "main:train.sh");
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < count; i++) {
      names.append("100644 blob ").append(blob).append('\t').append(i).append('\n');
    }
    String tree = told(bare, names.toString(), "mktree");
    String commit =
        git(
            bare,
            "-c",
            "user.name=Test",
            "-c",
            "user.email=test@example.com",
            "commit-tree",
            "-m",
            "many",
            tree);
    git(bare, "update-ref", "refs/heads/main", commit);
  }

  static String git(Path directory, String... words) throws Exception {
    return told(directory, "", words);
  }

  private static String told(Path directory, String input, String... words) throws Exception {
    List<String> line = new ArrayList<>(List.of("git"));
    line.addAll(List.of(words));
    Process git =
        new ProcessBuilder(line).directory(directory.toFile()).redirectErrorStream(true).start();
    try (var to = git.getOutputStream()) {
      to.write(input.getBytes(UTF_8));
    }
    String said = new String(git.getInputStream().readAllBytes(), UTF_8);
    if (git.waitFor() != 0) {
      throw new IOException(String.join(" ", line) + ": " + said);
    }
    return said.strip();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (path.startsWith("/moved.git/")) {
        exchange.getResponseHeaders().set("Location", url("open") + path.substring(10));
        exchange.sendResponseHeaders(302, -1);
        return;
      }
      if (path.startsWith("/closed.git/") && !isRight(exchange)) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      backend(exchange);
    }
  }

  private static boolean isRight(HttpExchange exchange) {
    return ("Basic " + Base64.getEncoder().encodeToString(LOGIN.getBytes(UTF_8)))
        .equals(exchange.getRequestHeaders().getFirst("Authorization"));
  }

  private void backend(HttpExchange exchange) throws IOException {
    ProcessBuilder cgi =
        new ProcessBuilder("git", "http-backend").redirectError(ProcessBuilder.Redirect.DISCARD);
    Map<String, String> environment = cgi.environment();
    environment.put("GIT_PROJECT_ROOT", root.toString());
    environment.put("GIT_HTTP_EXPORT_ALL", "1");
    environment.put("REQUEST_METHOD", exchange.getRequestMethod());
    environment.put("PATH_INFO", exchange.getRequestURI().getPath());
    environment.put("QUERY_STRING", text(exchange.getRequestURI().getRawQuery()));
    environment.put("CONTENT_TYPE", text(exchange.getRequestHeaders().getFirst("Content-Type")));
    environment.put(
        "HTTP_CONTENT_ENCODING", text(exchange.getRequestHeaders().getFirst("Content-Encoding")));
    environment.put("GIT_PROTOCOL", text(exchange.getRequestHeaders().getFirst("Git-Protocol")));
    byte[] body = exchange.getRequestBody().readAllBytes();
    environment.put("CONTENT_LENGTH", Integer.toString(body.length));
    Process process = cgi.start();
    try (var to = process.getOutputStream()) {
      to.write(body);
    }
    try (InputStream from = process.getInputStream()) {
      int status = 200;
      for (String line = line(from); !line.isEmpty(); line = line(from)) {
        String[] header = line.split(": ", 2);
        if (header[0].equals("Status")) {
          status = Integer.parseInt(header[1].substring(0, 3));
        } else {
          exchange.getResponseHeaders().set(header[0], header[1]);
        }
      }
      exchange.sendResponseHeaders(status, 0);
      from.transferTo(exchange.getResponseBody());
    }
  }

  private static String line(InputStream from) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = from.read(); next >= 0 && next != '\n'; next = from.read()) {
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(UTF_8);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
