package io.orrery.gateway.launch;

import io.orrery.core.check.CheckResult;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.PersonPrograms;
import io.orrery.core.process.Sandbox;
import io.orrery.core.process.SearchPath;
import io.orrery.gateway.launch.UserKeys.Mode;
import io.orrery.gateway.launch.UserKeys.SandboxChoice;
import io.orrery.gateway.status.ServerFacts.SandboxMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes the sandbox for programs of people, and tries it once. Blocks. */
final class SandboxSetup {
  private static final String INSTALL =
      "install bubblewrap (apt-get install bubblewrap), or set auth.sandbox: none, which says that"
          + " you trust each user with an account: programs run as the user of the server then, and"
          + " may read what it reads";
  private static final long PATIENCE_SECONDS = 20;

  private SandboxSetup() {}

  /**
   * The sandbox of a server.
   *
   * @param users whether people have accounts
   * @param homes of the server, which are hidden
   * @throws io.orrery.core.problem.ProblemException Refused when it is wanted and does not work
   */
  static Sandbox of(
      SandboxChoice choice, boolean users, List<Path> homes, Map<String, String> environment) {
    Tried tried = tried(choice, users, homes, environment);
    if (tried.fault() != null) {
      throw refused(tried.fault() + ": " + INSTALL);
    }
    Sandbox kept = tried.sandbox();
    return users ? kept.with(choice.limits(), new PersonPrograms(choice.people())) : kept;
  }

  /** The same as a check: what a start would find. */
  static CheckResult check(
      SandboxChoice choice, boolean users, List<Path> homes, Map<String, String> environment) {
    Tried tried = tried(choice, users, homes, environment);
    return tried.fault() == null
        ? new SandboxMode(tried.sandbox().isOn(), users).check()
        : CheckResult.failed(SandboxMode.CHECK, tried.fault(), INSTALL);
  }

  /**
   * A sandbox that was tried.
   *
   * @param fault why it does not work; null when it does, or when none is wanted
   */
  private record Tried(Sandbox sandbox, @Nullable String fault) {}

  private static Tried tried(
      SandboxChoice choice, boolean users, List<Path> homes, Map<String, String> environment) {
    Mode mode = choice.mode();
    if (mode == Mode.NONE || (mode == null && !users)) {
      return new Tried(Sandbox.NONE, null);
    }
    Path bubblewrap = SearchPath.of(environment).find("bwrap").orElse(null);
    if (bubblewrap == null) {
      return new Tried(
          Sandbox.NONE, "there is no program bwrap, which keeps programs of people apart");
    }
    Sandbox sandbox =
        Sandbox.of(bubblewrap, homes, environment, choice.readable(), choice.writable());
    String fault = fault(sandbox);
    return new Tried(
        sandbox,
        fault == null
            ? null
            : "%s cannot keep programs apart on this machine (%s)".formatted(bubblewrap, fault));
  }

  /** Why a program cannot be run in it; null when it can. */
  private static @Nullable String fault(Sandbox sandbox) {
    Path root = Path.of("/");
    try {
      Process process =
          new ProcessBuilder(
                  sandbox.line(new Sandbox.Mounts(root, List.of(), List.of()), List.of("true")))
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      // It says a line at most, which its pipe holds.
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "it did not end within " + PATIENCE_SECONDS + " s";
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.exitValue() == 0 ? null : said.strip();
    } catch (IOException e) {
      return e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "the server is closing";
    }
  }

  private static RuntimeException refused(String message) {
    return new Problem.Refused(new Finding("/auth/sandbox", message)).toException();
  }
}
