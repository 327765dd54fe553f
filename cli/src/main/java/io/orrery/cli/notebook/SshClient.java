package io.orrery.cli.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.core.process.SearchPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs the {@code ssh} of this machine into a notebook. */
final class SshClient {
  /** The line by which the program tells its user and its key. */
  private static final Pattern TOLD =
      Pattern.compile("(?m)^orrery-ssh: user=(\\S+) key=(ssh-ed25519 \\S+)$");

  private final Session session;
  private final String name;

  SshClient(Session session, String notebook) {
    this.session = session;
    this.name = notebook;
  }

  /** Passes stdin and stdout on, as the ProxyCommand of a program. */
  int pass() {
    new SshBridge(session, name).pass(System.in, session.terminal().out());
    return 0;
  }

  /**
   * Runs ssh.
   *
   * @param user null for the one that the notebook runs as
   * @param words for ssh: options, then a command
   * @return its exit code
   */
  int run(@Nullable String user, List<String> words) {
    try {
      return ssh(user, words);
    } catch (IOException e) {
      throw CommandFailure.failed("could not run ssh: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.failed("interrupted");
    }
  }

  private int ssh(@Nullable String user, List<String> words)
      throws IOException, InterruptedException {
    if (SearchPath.of(System.getenv()).find("ssh").isEmpty()) {
      throw CommandFailure.failed(
          "there is no ssh on this machine: install it (Debian and Ubuntu: apt-get install"
              + " openssh-client)");
    }
    // Who may not enter is told so in the words of the server.
    session.api().get(Resource.of("notebooks", name, "enter").with("follow", false));
    JsonNode notebook = session.api().get(Resource.of("notebooks", name));
    if (notebook.path("ssh").isEmpty()) {
      throw CommandFailure.refused(
          "notebook %s has no SSH: write your public key into its document, as in ssh: [ssh-ed25519"
                  .formatted(name)
              + " AAAA…], and reset it");
    }
    Matcher told = told();
    SshBridge bridge = new SshBridge(session, name);
    Path known = Files.createTempFile("orrery-ssh", ".known");
    try (ServerSocket listener = bridge.listen()) {
      Files.writeString(known, name + " " + told.group(2) + "\n");
      List<String> line =
          new ArrayList<>(
              List.of(
                  "ssh",
                  "-p",
                  Integer.toString(listener.getLocalPort()),
                  "-l",
                  user == null ? told.group(1) : user,
                  "-o",
                  "HostKeyAlias=" + name,
                  "-o",
                  "UserKnownHostsFile=" + known,
                  "-o",
                  "StrictHostKeyChecking=yes",
                  "-o",
                  "PasswordAuthentication=no"));
      // Options of ssh stand before the host, a command after it.
      List<String> rest = new ArrayList<>(words);
      while (!rest.isEmpty() && rest.getFirst().startsWith("-")) {
        String option = rest.removeFirst();
        line.add(option);
        if (option.matches("-[BbcDEeFIiJLlmOopQRSWw]") && !rest.isEmpty()) {
          line.add(rest.removeFirst());
        }
      }
      line.add("127.0.0.1");
      line.addAll(rest);
      return new ProcessBuilder(line).inheritIO().start().waitFor();
    } finally {
      Files.deleteIfExists(known);
    }
  }

  /** Reads the user and the key that the program has told last. */
  private Matcher told() throws IOException {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    session.api().copy(Resource.of("notebooks", name, "logs"), log);
    Matcher line = TOLD.matcher(log.toString(StandardCharsets.UTF_8));
    int end = -1;
    while (line.find()) {
      end = line.start();
    }
    if (end < 0 || !line.find(end)) {
      throw CommandFailure.failed(
          "the SSH server of notebook %s has not started: orrery notebook logs %1$s says why"
              .formatted(name));
    }
    return line;
  }
}
