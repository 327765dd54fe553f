package io.orrery.gateway.launch;

import io.orrery.cli.Orrery;
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
    String name = System.getProperty("orrery.program", "orrery");
    String fault = ExtraAuthorities.trust(System.getenv());
    if (fault != null) {
      System.err.println(name + ": " + fault);
    }
    System.exit(
        Orrery.run(
            name,
            arguments,
            new Server()::serve,
            (file, server) ->
                new RouteProgram(
                        file, server == null ? null : new Followed(server.url(), server.token()))
                    .run()));
  }
}
