package io.orrery.compute.remote;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.net.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.sshd.client.config.hosts.KnownHostHashValue;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.session.helpers.AbstractSession;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.forward.AcceptAllForwardingFilter;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;
import org.jspecify.annotations.Nullable;

/**
 * A machine to log in to: a real SSH server on loopback whose shells have a home of their own. All
 * that runs there is known by that home.
 */
public final class SshMachine implements AutoCloseable {
  public static final String USER = "trainer";
  public static final String PASSWORD = "open sesame";

  private final Path home;
  private final List<PublicKey> authorized = new ArrayList<>();
  private final List<Path> links = new ArrayList<>();
  private String path = System.getenv("PATH");
  private volatile boolean takesAgents = true;
  private @Nullable SshServer server;
  private final int port = FreePort.take();

  /**
   * @param home of the account; made when it is not there
   */
  public SshMachine(Path home) throws IOException {
    this.home = Files.createDirectories(home).toRealPath();
    start();
  }

  public Path home() {
    return home;
  }

  public int port() {
    return port;
  }

  /** Lets the holder of a key in. */
  public SshMachine authorize(PublicKey key) {
    authorized.add(key);
    return this;
  }

  /** Puts a directory first on the path of its shells. */
  public SshMachine withPath(Path first) {
    path = first + ":" + path;
    return this;
  }

  /** Takes a program from the path of its shells. */
  public SshMachine without(String program) throws IOException {
    Path all = Files.createTempDirectory("path-without-" + program);
    for (String directory : path.split(":", -1)) {
      if (Files.isDirectory(Path.of(directory))) {
        try (Stream<Path> programs = Files.list(Path.of(directory))) {
          for (Path each : programs.toList()) {
            Path link = all.resolve(each.getFileName());
            if (!each.endsWith(program) && !Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
              links.add(Files.createSymbolicLink(link, each));
            }
          }
        }
      }
    }
    links.add(all);
    path = all.toString();
    return this;
  }

  /** Takes no agents any more, and ends those that it has; what they have started goes on. */
  public SshMachine withoutAgent() throws IOException {
    takesAgents = false;
    agents().forEach(ProcessHandle::destroyForcibly);
    return this;
  }

  /** Takes agents again. */
  public void withAgent() {
    takesAgents = true;
  }

  /** The agents that servers have here. */
  public List<ProcessHandle> agents() throws IOException {
    List<ProcessHandle> found = new ArrayList<>();
    for (ProcessHandle process : processes("HOME=" + home)) {
      // What an agent has forked has its arguments: an attempt, or a look at all of them.
      if (isOfAgent(process)
          && !isOfAttempt(process)
          && process.parent().filter(SshMachine::isOfAgent).isEmpty()) {
        found.add(process);
      }
    }
    return found;
  }

  private static boolean isOfAgent(ProcessHandle process) {
    return arguments(process).contains("\0agent\0");
  }

  private static String arguments(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
    } catch (IOException gone) {
      return "";
    }
  }

  private static boolean isOfAttempt(ProcessHandle process) {
    return variables(process).startsWith("\0ORRERY_RUN=");
  }

  /** Its entry for a list of machines, with the password. */
  public Map<String, Object> entry() {
    Map<String, Object> entry = new HashMap<>();
    entry.put("host", "127.0.0.1");
    entry.put("port", port);
    entry.put("user", USER);
    entry.put("password", PASSWORD);
    return entry;
  }

  /** Its line of known_hosts. */
  public String knownHost() throws IOException {
    try {
      PublicKey key =
          Objects.requireNonNull(server)
              .getKeyPairProvider()
              .loadKeys(null)
              .iterator()
              .next()
              .getPublic();
      return KnownHostHashValue.createHostPattern("127.0.0.1", port)
          + " "
          + PublicKeyEntry.toString(key)
          + "\n";
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /** Starts its SSH server, on the port that it had before. */
  public void start() throws IOException {
    SshServer fresh = SshServer.setUpDefaultServer();
    fresh.setHost("127.0.0.1");
    fresh.setPort(port);
    // As OpenSSH does.
    CoreModuleProperties.TCP_NODELAY.set(fresh, true);
    SimpleGeneratorHostKeyProvider keys =
        new SimpleGeneratorHostKeyProvider(home.resolveSibling(home.getFileName() + ".hostkey"));
    keys.setAlgorithm(KeyUtils.EC_ALGORITHM);
    keys.setKeySize(256);
    fresh.setKeyPairProvider(keys);
    fresh.setPasswordAuthenticator(
        (user, password, session) -> user.equals(USER) && password.equals(PASSWORD));
    fresh.setPublickeyAuthenticator((user, key, session) ->
        user.equals(USER)
            && authorized.stream().anyMatch(known -> KeyUtils.compareKeys(known, key)));
    fresh.setForwardingFilter(AcceptAllForwardingFilter.INSTANCE);
    fresh.setCommandFactory((channel, command) -> new Shell(command));
    fresh.start();
    server = fresh;
  }

  /** Ends its SSH server, and with it every connection; what runs there goes on. */
  public void stop() throws IOException {
    Objects.requireNonNull(server).stop(true);
  }

  /** Cuts every connection, as a network does. */
  public void cut() {
    for (AbstractSession session : Objects.requireNonNull(server).getActiveSessions()) {
      session.close(true);
    }
  }

  /** Ends everything at once, as a loss of power does; its disk stays. */
  public void crash() throws IOException {
    stop();
    processes("HOME=" + home).forEach(ProcessHandle::destroyForcibly);
  }

  /** Shows another host key from its next start on. */
  public void forgetHostKey() throws IOException {
    Files.delete(home.resolveSibling(home.getFileName() + ".hostkey"));
  }

  /** The directory of an attempt; null when there is none. */
  public @Nullable Path run(AttemptRef attempt) throws IOException {
    Path all = home.resolve(".orrery");
    if (!Files.isDirectory(all)) {
      return null;
    }
    try (Stream<Path> servers = Files.list(all)) {
      return servers
          .map(server -> server.resolve("runs").resolve(ConnectedMachine.key(attempt)))
          .filter(Files::isDirectory)
          .findFirst()
          .orElse(null);
    }
  }

  /** The directories of all attempts of an experiment; of what serves several there is one. */
  public List<Path> runs(ExperimentId experiment) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> servers = Files.list(home.resolve(".orrery"))) {
      for (Path server : servers.toList()) {
        Path place = server.resolve("runs").resolve(experiment.value());
        if (Files.isDirectory(place)) {
          try (Stream<Path> runs = Files.list(place)) {
            runs.forEach(found::add);
          }
        }
      }
    }
    return found;
  }

  /** Whether anything of an attempt runs. */
  public boolean runs(AttemptRef attempt) throws IOException {
    return !processes(attempt).isEmpty();
  }

  /** Everything of an attempt that runs, its wrapper and its keeper included. */
  public List<ProcessHandle> processes(AttemptRef attempt) throws IOException {
    List<ProcessHandle> found = new ArrayList<>();
    Path all = home.resolve(".orrery");
    if (Files.isDirectory(all)) {
      try (Stream<Path> servers = Files.list(all)) {
        for (Path each : servers.toList()) {
          found.addAll(
              processes(
                  "ORRERY_RUN=" + each.resolve("runs").resolve(ConnectedMachine.key(attempt))));
        }
      }
    }
    return found;
  }

  /**
   * Kills what could tell how an attempt ends: agents, its wrapper where it has one, its keeper.
   * Its command goes on.
   */
  public void lose(AttemptRef attempt) throws IOException {
    Path run = Objects.requireNonNull(run(attempt));
    long pid = Long.parseLong(Files.readString(run.resolve("pid")).strip());
    ProcessHandle first = ProcessHandle.of(pid).orElseThrow();
    boolean forked = isOfAgent(first);
    List<ProcessHandle> keepers = forked ? List.of() : first.children().toList();
    for (ProcessHandle agent : agents()) {
      agent.destroyForcibly();
      agent.onExit().join();
    }
    first.destroyForcibly();
    keepers.forEach(ProcessHandle::destroyForcibly);
  }

  /** What carries a variable. */
  private static List<ProcessHandle> processes(String variable) {
    return ProcessHandle.allProcesses()
        .filter(process -> variables(process).contains("\0" + variable + "\0"))
        .toList();
  }

  /** The variables of a process, each between two zeros; none of one that has gone. */
  private static String variables(ProcessHandle process) {
    try {
      Path file = Path.of("/proc", Long.toString(process.pid()), "environ");
      return "\0" + new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException gone) {
      return "";
    }
  }

  @Override
  public void close() throws IOException {
    crash();
    for (Path link : links) {
      Files.delete(link);
    }
  }

  /** A command as a login shell runs it. */
  private final class Shell implements Command {
    private final String command;
    private @Nullable InputStream in;
    private @Nullable OutputStream out;
    private @Nullable OutputStream err;
    private @Nullable ExitCallback exit;
    private @Nullable Process process;

    private Shell(String command) {
      this.command = command;
    }

    @Override
    public void start(ChannelSession channel, Environment environment) throws IOException {
      boolean taken = takesAgents || !command.contains(" agent ");
      ProcessBuilder builder = new ProcessBuilder("sh", "-c", taken ? command : "exit 127");
      builder.environment().clear();
      builder.environment().putAll(Map.of("HOME", home.toString(), "PATH", path, "USER", USER));
      Process started = builder.directory(home.toFile()).start();
      process = started;
      Thread.ofVirtual().start(() -> pump(Objects.requireNonNull(in), started.getOutputStream()));
      Thread output =
          Thread.ofVirtual()
              .start(() -> pump(started.getInputStream(), Objects.requireNonNull(out)));
      Thread errors =
          Thread.ofVirtual()
              .start(() -> pump(started.getErrorStream(), Objects.requireNonNull(err)));
      Thread.ofVirtual()
          .start(() -> {
            try {
              int code = started.waitFor();
              output.join();
              errors.join();
              Objects.requireNonNull(exit).onExit(code);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }

    private static void pump(InputStream from, OutputStream to) {
      try (to) {
        byte[] piece = new byte[8192];
        for (int n = from.read(piece); n >= 0; n = from.read(piece)) {
          to.write(piece, 0, n);
          to.flush();
        }
      } catch (IOException gone) {
        // Either side has hung up: then there is nothing more to bring.
      }
    }

    @Override
    public void destroy(ChannelSession channel) {
      Process started = process;
      if (started != null) {
        started.destroy();
      }
    }

    @Override
    public void setInputStream(InputStream stream) {
      in = stream;
    }

    @Override
    public void setOutputStream(OutputStream stream) {
      out = stream;
    }

    @Override
    public void setErrorStream(OutputStream stream) {
      err = stream;
    }

    @Override
    public void setExitCallback(ExitCallback callback) {
      exit = callback;
    }
  }
}
