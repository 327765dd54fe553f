package io.orrery.gateway.launch;

import io.orrery.cli.Orrery;
import io.orrery.cli.route.RouteLauncher;
import io.orrery.cli.server.ServerLauncher;
import io.orrery.core.tls.ExtraAuthorities;
import io.orrery.router.run.RouteProgram;
import io.orrery.router.run.RouteProgram.Followed;

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
    ServerLauncher server =
        options -> {
          trustExtraAuthorities(name);
          return new Server().serve(options);
        };
    RouteLauncher router =
        (file, followed) -> {
          trustExtraAuthorities(name);
          return new RouteProgram(
                  file, followed == null ? null : new Followed(followed.url(), followed.token()))
              .run();
        };
    return Orrery.run(name, arguments, server, router);
  }

  /** Both are clients of many servers. A command asks for it when its server's address is HTTPS. */
  private static void trustExtraAuthorities(String name) {
    String fault = ExtraAuthorities.trust(System.getenv());
    if (fault != null) {
      System.err.println(name + ": " + fault);
    }
  }
}
