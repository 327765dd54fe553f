package io.orrery.cli.route;

import io.orrery.cli.client.Session;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code orrery route}. */
@Command(
    name = "route",
    description =
        "Run the serving router alone until it is stopped. SIGHUP reads its file again, SIGTERM"
            + " lets requests end.")
public final class RouteCommand implements Callable<Integer> {
  private final Session session;
  private final RouteLauncher launcher;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "Where it listens and what it routes: see docs/router.md.")
  private @Nullable Path config;

  @Option(
      names = "--follow",
      paramLabel = "URL",
      description =
          "The server whose routes are served beside those of the file; --token is for it.")
  private @Nullable String follow;

  public RouteCommand(Session session, RouteLauncher launcher) {
    this.session = session;
    this.launcher = launcher;
  }

  @Override
  public Integer call() {
    Path file = session.terminal().directory().resolve(Objects.requireNonNull(config));
    return launcher.route(file.normalize(), follow == null ? null : session.address(follow));
  }
}
