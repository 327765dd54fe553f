package io.orrery.cli.completion;

import io.orrery.cli.client.Session;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Implements {@code orrery completion SHELL}: a script that completes verbs and options. */
@Command(
    name = "completion",
    description = {
      "Print a script that lets a shell complete verbs and options.",
      "bash, zsh: `source <(orrery completion bash)`, in ~/.bashrc or ~/.zshrc.",
      "fish: `orrery completion fish > ~/.config/fish/completions/orrery.fish`."
    })
public final class CompletionCommand implements Callable<Integer> {
  private final Session session;
  private final Supplier<CommandLine> program;

  /** The shells. */
  enum Shell {
    BASH,
    ZSH,
    FISH
  }

  @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
  private Shell shell = Shell.BASH;

  /**
   * @param program describes the whole program; asked for when the script is wanted
   */
  public CompletionCommand(Session session, Supplier<CommandLine> program) {
    this.session = session;
    this.program = program;
  }

  @Override
  public Integer call() {
    CommandLine line = program.get();
    session
        .terminal()
        .out()
        .print(
            switch (shell) {
              // One script for both: in zsh it loads bashcompinit itself.
              case BASH, ZSH -> AutoComplete.bash(line.getCommandName(), line);
              case FISH -> FishScript.of(line);
            });
    return 0;
  }
}
