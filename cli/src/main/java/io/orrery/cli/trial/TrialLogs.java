package io.orrery.cli.trial;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.Unreachable;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code orrery trial logs}: bytes as they are. */
@Command(
    name = "logs",
    description = {
      "Print what a trial has written: stdout, unless another stream is named.",
      "Without a server the files of $ORRERY_HOME are read."
    })
final class TrialLogs implements Callable<Integer> {
  private final Session session;

  @Mixin private TrialChoice choice = new TrialChoice();

  @ArgGroup private @Nullable Stream stream;

  @Option(names = "--follow", description = "Go on printing until the trial ends.")
  private boolean follow;

  /** The stream to show, one of the two. */
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
    try {
      return print(choice.shown(session, "logs", file));
    } catch (Unreachable e) {
      HomeLogs files = new HomeLogs(session.terminal());
      if (!e.isOfThisHome() || !files.exist()) {
        throw e;
      }
      TrialChoice.Typed typed = choice.typed();
      files.print(typed.experiment(), typed.trial(), file.equals("trial") ? "trial.log" : file);
      return 0;
    }
  }

  private int print(Resource log) {
    try {
      session
          .api()
          .copy(log.with("follow", follow ? Boolean.TRUE : null), session.terminal().out());
      return 0;
    } catch (IOException e) {
      throw CommandFailure.failed("the log broke off: " + FileFault.words(e));
    }
  }
}
