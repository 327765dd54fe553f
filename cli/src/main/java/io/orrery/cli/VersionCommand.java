package io.orrery.cli;

import io.orrery.cli.client.Session;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Implements {@code orrery version}. Works without a server. */
@Command(name = "version", description = "Print the version.")
final class VersionCommand implements Callable<Integer> {
  /** The release of NNI whose command {@code nnictl} is, as the Python module says it as well. */
  static final String NNI = "3.0+orrery";

  private final Session session;

  VersionCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    // A version holds no character that JSON would escape, and Jackson takes longer than the rest.
    session
        .terminal()
        .out()
        .println(session.json() ? "{\"version\":\"" + version() + "\"}" : "orrery " + version());
    return 0;
  }

  static String version() throws IOException {
    try (InputStream in = VersionCommand.class.getResourceAsStream("version.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version", "unknown");
    }
  }
}
