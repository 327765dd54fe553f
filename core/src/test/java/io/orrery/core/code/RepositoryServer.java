package io.orrery.core.code;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A server of Git repositories over HTTP: git's own {@code http-backend} as a CGI program. */
public final class RepositoryServer implements AutoCloseable {
  private final Path root;
  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile @Nullable String login;
  private volatile @Nullable String redirect;

  /**
   * @param root an empty directory
   */
  public RepositoryServer(Path root) throws IOException {
    this.root = root;
    this.http = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 50);
    http.setExecutor(threads);
    http.createContext("/", this::answer);
    http.start();
  }

  /** Whether this machine has what the server needs. */
  public static boolean isPossible() {
    return Files.isExecutable(Path.of("/usr/lib/git-core/git-http-backend"));
  }

  public String url(String repository) {
    return "http://127.0.0.1:%d/%s".formatted(http.getAddress().getPort(), repository);
  }

  /** The paths of all requests. */
  public List<String> asked() {
    return asked;
  }

  /** Asks for a login from now on. */
  public void protect(String user, String password) {
    login =
        "Basic "
            + Base64.getEncoder()
                .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  /** Leads all requests elsewhere from now on. */
  public void redirect(String to) {
    redirect = to;
  }

  /**
   * Commits files to the branch {@code main} of a repository, which is made when it is missing.
   *
   * @return the commit
   */
  public String commit(String repository, Map<String, byte[]> files) throws Exception {
    Path bare = root.resolve(repository);
    Path work = root.resolve(repository + "-work");
    if (!Files.exists(work)) {
      git(root, "init", "-q", "-b", "main", work.toString());
      git(root, "init", "-q", "--bare", "-b", "main", bare.toString());
    }
    for (var file : files.entrySet()) {
      Path path = work.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    git(work, "add", "-A");
    git(work, "-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-qm", "files");
    git(work, "push", "-q", bare.toString(), "main");
    return git(work, "rev-parse", "HEAD");
  }

  /** Runs git in a directory; its output. */
  public static String git(Path directory, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", words) + ": " + output);
    }
    return output.strip();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      asked.add(exchange.getRequestURI().getPath());
      String needed = login;
      String elsewhere = redirect;
      if (elsewhere != null) {
        exchange.getResponseHeaders().set("Location", elsewhere + exchange.getRequestURI());
        exchange.sendResponseHeaders(302, -1);
      } else if (needed != null
          && !needed.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
        exchange.sendResponseHeaders(401, -1);
      } else {
        backend(exchange);
      }
    }
  }

  private void backend(HttpExchange exchange) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("/usr/lib/git-core/git-http-backend");
    Map<String, String> variables = builder.environment();
    variables.put("GIT_PROJECT_ROOT", root.toString());
    variables.put("GIT_HTTP_EXPORT_ALL", "1");
    variables.put("REQUEST_METHOD", exchange.getRequestMethod());
    variables.put("PATH_INFO", exchange.getRequestURI().getPath());
    String query = exchange.getRequestURI().getQuery();
    variables.put("QUERY_STRING", query == null ? "" : query);
    copy(exchange, "Content-Type", variables, "CONTENT_TYPE");
    copy(exchange, "Content-Encoding", variables, "HTTP_CONTENT_ENCODING");
    copy(exchange, "Git-Protocol", variables, "GIT_PROTOCOL");
    byte[] body = exchange.getRequestBody().readAllBytes();
    variables.put("CONTENT_LENGTH", String.valueOf(body.length));
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (var in = process.getOutputStream()) {
      in.write(body);
    }
    byte[] all = process.getInputStream().readAllBytes();
    int status = 200;
    InputStream rest = new ByteArrayInputStream(all);
    for (String line = line(rest); !line.isEmpty(); line = line(rest)) {
      int colon = line.indexOf(':');
      String value = line.substring(colon + 1).strip();
      if (line.startsWith("Status:")) {
        status = Integer.parseInt(value.substring(0, 3));
      } else {
        exchange.getResponseHeaders().set(line.substring(0, colon), value);
      }
    }
    byte[] answer = rest.readAllBytes();
    exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
    exchange.getResponseBody().write(answer);
  }

  private static void copy(
      HttpExchange exchange, String header, Map<String, String> variables, String variable) {
    String value = exchange.getRequestHeaders().getFirst(header);
    if (value != null) {
      variables.put(variable, value);
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Override
  public void close() {
    http.stop(0);
    threads.close();
  }
}
