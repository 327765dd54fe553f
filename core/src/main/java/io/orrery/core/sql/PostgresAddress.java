package io.orrery.core.sql;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.VertxException;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgException;
import io.vertx.pgclient.SslMode;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The address of a PostgreSQL database, with user and password. Its text never contains the
 * password.
 */
public final class PostgresAddress {
  private static final String FORM = "postgresql://user@host:5432/database";
  private static final int DEFAULT_PORT = 5432;
  private static final int CACHED_STATEMENTS = 256;

  private final String host;
  private final int port;
  private final String database;
  private final String user;
  private final @Nullable String password;
  private final @Nullable PgConnectOptions tls;

  private PostgresAddress(
      String host,
      int port,
      String database,
      String user,
      @Nullable String password,
      @Nullable PgConnectOptions tls) {
    this.host = host;
    this.port = port;
    this.database = database;
    this.user = user;
    this.password = password;
    this.tls = tls;
  }

  /**
   * Reads {@code postgresql://user:password@host:5432/database?sslmode=verify-full}. Port, password
   * and mode may be left out, the scheme may be {@code postgres}. A password that is not in the URL
   * is {@code PGPASSWORD}, else the one of the password file.
   *
   * @throws ProblemException Refused; never with the URL in it, because that may hold a password
   */
  public static PostgresAddress parse(String url, Map<String, String> environment) {
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) { // its message has the URL
      throw refused("is no URL");
    }
    if (!"postgresql".equals(uri.getScheme()) && !"postgres".equals(uri.getScheme())) {
      throw refused("does not begin with postgresql://");
    }
    if (uri.getHost() == null || uri.getUserInfo() == null || uri.getUserInfo().startsWith(":")) {
      throw refused("needs a user and a host");
    }
    String path = Objects.requireNonNullElse(uri.getPath(), "");
    if (path.length() < 2 || path.indexOf('/', 1) > 0) {
      throw refused("needs the name of a database behind the host");
    }
    String database = path.substring(1);
    String host = uri.getHost().replaceAll("[\\[\\]]", "");
    int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
    String[] login = uri.getRawUserInfo().split(":", 2);
    String user = decoded(login[0]);
    String password =
        login.length == 2
            ? decoded(login[1])
            : Optional.ofNullable(environment.get("PGPASSWORD"))
                .or(() -> PasswordFile.of(environment).find(host, port, database, user))
                .orElse(null);
    return new PostgresAddress(host, port, database, user, password, tls(uri.getQuery()));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Null for a plain connection. */
  private static @Nullable PgConnectOptions tls(@Nullable String query) {
    if (query == null) {
      return null;
    }
    String[] verified = query.split("&sslrootcert=", 2);
    return switch (verified[0]) {
      case "sslmode=disable" -> null;
      case "sslmode=require" ->
          new PgConnectOptions()
              .setSslMode(SslMode.REQUIRE)
              .setSslOptions(new ClientSSLOptions().setTrustAll(true));
      case "sslmode=verify-full" ->
          new PgConnectOptions()
              .setSslMode(SslMode.VERIFY_FULL)
              .setSslOptions(
                  new ClientSSLOptions()
                      .setHostnameVerificationAlgorithm("HTTPS")
                      .setTrustOptions(
                          verified.length == 2
                              ? new PemTrustOptions().addCertPath(readable(verified[1]))
                              : runtimesTrust()));
      default ->
          throw refused(
              "may have sslmode=disable, sslmode=require, or sslmode=verify-full with"
                  + " &sslrootcert=FILE behind the '?'");
    };
  }

  private static String readable(String file) {
    if (!Files.isReadable(Path.of(file))) {
      throw refused("has an sslrootcert that cannot be read, " + file);
    }
    return file;
  }

  /** The certificates that the Java runtime trusts. */
  private static TrustOptions runtimesTrust() {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init((KeyStore) null);
      return TrustOptions.wrap(factory.getTrustManagers()[0]);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ProblemException refused(String fault) {
    return new Problem.Refused("store.url " + fault + "; its form is " + FORM, List.of())
        .toException();
  }

  PgConnectOptions options(StoreOwner owner) {
    return options(owner.applicationName());
  }

  /**
   * @param name of the connections in {@code pg_stat_activity}
   */
  PgConnectOptions options(String name) {
    PgConnectOptions options = tls == null ? new PgConnectOptions() : new PgConnectOptions(tls);
    options
        .setHost(host)
        .setPort(port)
        .setDatabase(database)
        .setUser(user)
        .setPassword(Objects.requireNonNullElse(password, ""))
        .setCachePreparedStatements(true)
        .setPreparedStatementCacheMaxSize(CACHED_STATEMENTS)
        .addProperty("application_name", name)
        .addProperty("client_min_messages", "warning");
    return options;
  }

  /**
   * Why no connection was made.
   *
   * @param failure of connecting; thrown on when it is none that a database or its address explain
   */
  UnusableDatabase unusable(Exception failure) {
    return switch (failure) {
      case ConnectionLost lost -> unusable(String.valueOf(lost.getMessage()), null);
      case PgException refused -> unusable(refused.getErrorMessage(), refused.getSqlState());
      case VertxException tls -> {
        Throwable cause = tls.getCause();
        yield unusable(tls.getMessage() + (cause == null ? "" : ": " + cause.getMessage()), "");
      }
      case IllegalArgumentException scram when password == null ->
          unusable("the server asks for a password, and there is none", "28P01");
      case RuntimeException unknown -> throw unknown;
      default -> throw new IllegalStateException(failure);
    };
  }

  private UnusableDatabase unusable(String reason, @Nullable String sqlState) {
    String remedy =
        switch (sqlState) {
          case null ->
              "start it, or correct store.url; without store.url everything is kept in the home"
                  + " directory";
          case "28P01", "28000" ->
              "give the password in PGPASSWORD, in ~/.pgpass or in store.url, and let pg_hba.conf"
                  + " allow this user and machine";
          case "3D000" ->
              "make it: createdb -h " + host + " -p " + port + " -O " + user + " " + database;
          case "42501" ->
              "let this user make tables in it: alter database " + database + " owner to " + user;
          default -> "correct what it says, or leave store.url out";
        };
    return new UnusableDatabase("cannot use the database " + this + " (" + reason + ")", remedy);
  }

  /** The URL without password. */
  @Override
  public String toString() {
    String bracketed = host.contains(":") ? "[" + host + "]" : host;
    return "postgresql://" + user + "@" + bracketed + ":" + port + "/" + database;
  }
}
