package io.orrery.cli.completion;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes a manual page of each command: {@code orrery man DIRECTORY}. */
@Command(
    name = "man",
    description = {
      "Write the manual pages of all commands into a directory.",
      "A release has them in share/man: `man -M share/man orrery-up`."
    })
public final class ManCommand implements Callable<Integer> {
  private final Session session;
  private final Supplier<CommandLine> program;

  @Parameters(paramLabel = "DIRECTORY", description = "Made where it is missing.")
  private Path directory = Path.of(".");

  /**
   * @param program describes the whole program; asked for when the pages are wanted
   */
  public ManCommand(Session session, Supplier<CommandLine> program) {
    this.session = session;
    this.program = program;
  }

  @Override
  public Integer call() {
    Path target = session.terminal().directory().resolve(directory);
    CommandLine line = program.get();
    String version = String.join(" ", line.getCommandSpec().version());
    Map<String, String> pages = ManPages.of(line, version);
    try {
      Files.createDirectories(target);
      for (Map.Entry<String, String> page : pages.entrySet()) {
        Files.writeString(target.resolve(page.getKey()), page.getValue());
      }
    } catch (IOException e) {
      throw CommandFailure.failed("could not write manual pages to " + directory + ": " + e);
    }
    session.terminal().say(pages.size() + " manual pages in " + directory);
    return 0;
  }
}
