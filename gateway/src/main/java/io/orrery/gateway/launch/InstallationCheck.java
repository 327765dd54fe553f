package io.orrery.gateway.launch;

import io.orrery.core.check.CheckResult;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.process.UserEnvironment;
import io.orrery.core.sql.DatabaseCheck;
import io.orrery.gateway.auth.openid.OpenIdConfig;
import io.orrery.gateway.auth.openid.ProviderCheck;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks an installation as its server would find it: reads the configuration as a start does, logs
 * in to the database, asks the OpenID provider, tries the sandbox. Changes nothing.
 */
final class InstallationCheck {
  private static final Logger LOG = LoggerFactory.getLogger(InstallationCheck.class);
  private static final String CONFIGURATION = "configuration";
  private static final String METRICS = "metrics/chunks.db";

  private final Path home;
  private final Path file;
  private final Map<String, String> environment;
  private final List<CheckResult> results = new ArrayList<>();

  /**
   * @param file the configuration; it may be missing
   */
  InstallationCheck(Path home, Path file, Map<String, String> environment) {
    this.home = home;
    this.file = file.toAbsolutePath();
    this.environment = environment;
  }

  /** Checks everything; blocks, for a minute at most. */
  List<CheckResult> run() {
    try {
      ConfigurationFile text = ConfigurationFile.find(file);
      ServerConfig config =
          text.placing(() -> ServerConfig.read(text.text(), environment, Map.of()));
      run(placed(text, config));
    } catch (ProblemException refused) {
      results.add(refused(refused.problem()));
      for (String other : List.of("database", "sandbox")) {
        results.add(
            CheckResult.unknown(
                other, "the configuration cannot be read", "repair it, and check again"));
      }
    }
    return results;
  }

  /** The configuration with absolute paths; as it is written where a file of it is missing. */
  private ServerConfig placed(ConfigurationFile text, ServerConfig config) {
    Path directory = Objects.requireNonNull(file.getParent());
    try {
      ServerConfig placed = text.placing(() -> config.from(directory));
      String found = text.text() == null ? "none, so the defaults" : file.toString();
      results.add(CheckResult.ok(CONFIGURATION, found));
      return placed;
    } catch (ProblemException missing) {
      results.add(refused(missing.problem()));
      return config;
    }
  }

  private CheckResult refused(Problem problem) {
    String fault =
        problem instanceof Problem.Refused refused && !refused.findings().isEmpty()
            ? refused.findings().stream().map(Finding::text).collect(Collectors.joining("; "))
            : problem.detail();
    String where = fault.contains(file.toString()) ? "" : file + ": ";
    return CheckResult.failed(
        CONFIGURATION, where + fault, "repair it: a start would be refused with the same words");
  }

  private void run(ServerConfig config) {
    OpenIdConfig openId = config.accounts().openId();
    if (config.store() == null) {
      Path database = home.resolve("orrery.db");
      results.add(CheckResult.ok("database", "SQLite in the home"));
      results.addAll(DatabaseCheck.sqlite("database file", database, KnownMigrations.ALL));
      results.addAll(DatabaseCheck.sqlite("file of metrics", home.resolve(METRICS), List.of()));
    }
    if (config.store() != null || openId != null) {
      overTheNetwork(config, openId);
    }
    List<Path> homes = new ArrayList<>(List.of(home));
    if (config.cluster() != null) {
      homes.add(config.cluster().directory());
    }
    results.add(
        SandboxSetup.check(
            config.sandbox(), config.users(), homes, UserEnvironment.of(environment)));
  }

  private void overTheNetwork(ServerConfig config, @Nullable OpenIdConfig openId) {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try {
      if (config.store() != null) {
        results.addAll(
            DatabaseCheck.postgres(vertx, config.store(), KnownMigrations.ALL, "orrery doctor"));
      }
      if (openId != null) {
        results.add(ProviderCheck.of(vertx, openId));
      }
    } finally {
      vertx.close().onFailure(failure -> LOG.debug("could not close Vert.x", failure));
    }
  }
}
