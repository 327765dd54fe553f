package io.orrery.cli.client;

import io.orrery.cli.print.Terminal;
import io.orrery.core.http.HostName;
import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The address of the server, and the token to send.
 *
 * @param url without a slash at the end
 * @param token null where none is known
 */
public record ServerAddress(URI url, @Nullable String token, Source source) {
  /** The address of a server when none is given. */
  public static final String USUAL = "http://127.0.0.1:8080";

  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

  /** The source of the address. */
  public enum Source {
    OPTION("from --server"),
    ENVIRONMENT("from $ORRERY_URL"),
    FILE("from server.json"),
    LOGIN("from `orrery login`"),
    DEFAULT("the usual address");

    private final String words;

    Source(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /**
   * The option, else {@code $ORRERY_URL}, else the home's {@code server.json}, else the server of
   * {@code orrery login}, else the usual address. The token of a login or of the file goes to its
   * own server and to no other.
   *
   * @throws CommandFailure refused, when what was given is not an http address
   */
  static ServerAddress find(
      @Nullable String serverOption, @Nullable String tokenOption, Terminal terminal) {
    String variable = terminal.environment().getOrDefault("ORRERY_URL", "");
    Optional<ServerFile> file = ServerFile.read(terminal.home());
    Optional<StoredLogin> login = StoredLogin.read(terminal.home());
    Source source;
    URI url;
    if (serverOption != null) {
      source = Source.OPTION;
      url = parsed(serverOption, "--server");
    } else if (!variable.isEmpty()) {
      source = Source.ENVIRONMENT;
      url = parsed(variable, "ORRERY_URL");
    } else if (file.isPresent()) {
      source = Source.FILE;
      url = parsed(file.get().url().toString(), "the url in server.json");
    } else if (login.isPresent()) {
      source = Source.LOGIN;
      url = login.get().url();
    } else {
      source = Source.DEFAULT;
      url = URI.create(USUAL);
    }
    return new ServerAddress(url, token(tokenOption, url, file, login, terminal), source);
  }

  /** An address that a command was given, without a token. */
  public static ServerAddress at(String url) {
    return new ServerAddress(parsed(url, "URL"), null, Source.OPTION);
  }

  /** Whether the server is asked over TLS. */
  boolean secure() {
    return "https".equals(url.getScheme());
  }

  /** Whether the address is this machine's own. */
  public boolean isLoopback() {
    return isLoopback(url);
  }

  private static @Nullable String token(
      @Nullable String option,
      URI url,
      Optional<ServerFile> file,
      Optional<StoredLogin> login,
      Terminal terminal) {
    String variable = terminal.environment().getOrDefault("ORRERY_TOKEN", "");
    if (option != null) {
      return option;
    }
    if (!variable.isEmpty()) {
      return variable;
    }
    // Who has signed in means to be himself, not the server's own account.
    return login
        .filter(l -> same(l.url(), url))
        .map(StoredLogin::token)
        .or(() -> file.filter(f -> same(f.url(), url)).map(ServerFile::token))
        .orElse(null);
  }

  private static boolean same(URI one, URI other) {
    boolean host =
        String.valueOf(one.getHost()).equalsIgnoreCase(other.getHost())
            || (isLoopback(one) && isLoopback(other));
    return host && one.getPort() == other.getPort() && one.getScheme().equals(other.getScheme());
  }

  private static boolean isLoopback(URI url) {
    String host = Objects.requireNonNullElse(url.getHost(), "");
    return LOOPBACK.contains(HostName.withoutRoot(host.toLowerCase(Locale.ROOT)));
  }

  private static URI parsed(String text, String where) {
    String plain = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    try {
      URI url = URI.create(plain);
      if (url.getHost() != null
          && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
        return url;
      }
    } catch (IllegalArgumentException e) {
      // Said below, with what would be right.
    }
    throw CommandFailure.refused(
        where + " is '" + text + "', which is not an address such as " + USUAL);
  }
}
