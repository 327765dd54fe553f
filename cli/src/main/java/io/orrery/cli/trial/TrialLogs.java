package io.orrery.cli.trial;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code orrery trial logs}: bytes as they are. */
@Command(name = "logs", description = "Print what a trial has written: stdout unless said.")
final class TrialLogs implements Callable<Integer> {
  private final Session session;

  @Mixin private TrialChoice choice = new TrialChoice();

  @ArgGroup private @Nullable Stream stream;

  @Option(names = "--follow", description = "Go on printing until the trial ends.")
  private boolean follow;

  /** One of the two. */
  static final class Stream {
    @Option(names = "--stderr", description = "What it wrote to stderr.")
    private boolean stderr;

    @Option(names = "--trial", description = "The log of the trial's wrapper and SDK.")
    private boolean trial;

    String file() {
      return stderr ? "stderr" : trial ? "trial" : "stdout";
    }
  }

  TrialLogs(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String file = stream == null ? "stdout" : stream.file();
    Resource log = choice.resource(session.api(), "logs", file);
    try {
      session
          .api()
          .copy(log.with("follow", follow ? Boolean.TRUE : null), session.terminal().out());
      return 0;
    } catch (IOException e) {
      throw CommandFailure.failed("the log broke off: " + e);
    }
  }
}
