package io.orrery.gateway.launch;

import io.orrery.cli.Orrery;
import io.orrery.cli.route.RouteLauncher;
import io.orrery.cli.server.ServerLauncher;
import io.orrery.cli.server.UpOptions;
import io.orrery.core.check.CheckResult;
import io.orrery.core.tls.ExtraAuthorities;
import io.orrery.router.run.RouteProgram;
import io.orrery.router.run.RouteProgram.Followed;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The one entry point: {@code up} and {@code route} run in this process, every other verb is the
 * command line's.
 */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(run(System.getProperty("orrery.program", "orrery"), arguments));
  }

  /** The exit code of one command. */
  static int run(String name, String[] arguments) {
    // Made only when they run: both begin the log, which a short command does not need.
    RouteLauncher router =
        (file, followed) -> {
          trustExtraAuthorities(name);
          return new RouteProgram(
                  file, followed == null ? null : new Followed(followed.url(), followed.token()))
              .run();
        };
    return Orrery.run(name, arguments, new OwnServer(name), router);
  }

  /** A launcher of the server in this process. */
  private record OwnServer(String name) implements ServerLauncher {
    @Override
    public int serve(UpOptions options) {
      trustExtraAuthorities(name);
      return new Server().serve(options);
    }

    @Override
    public List<CheckResult> check(Path home, Path configuration, Map<String, String> environment) {
      trustExtraAuthorities(name);
      return new InstallationCheck(home, configuration, environment).run();
    }
  }

  /** All are clients of many servers. A command asks for it when its server's address is HTTPS. */
  private static void trustExtraAuthorities(String name) {
    String fault = ExtraAuthorities.trust(System.getenv());
    if (fault != null) {
      System.err.println(name + ": " + fault);
    }
  }
}
