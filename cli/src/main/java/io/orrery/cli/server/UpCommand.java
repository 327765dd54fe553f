package io.orrery.cli.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.ServerAddress;
import io.orrery.cli.client.ServerFile;
import io.orrery.cli.client.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Implements {@code orrery up}. */
@Command(
    name = "up",
    description = "Start the server: here until it is stopped, or in the background with --detach.")
public final class UpCommand implements Callable<Integer> {
  private final Session session;
  private final ServerLauncher launcher;
  private final ServerProgram program;
  private final Supplier<Interrupts> interrupts;

  @Option(
      names = "--host",
      paramLabel = "H",
      description = "Address to listen at. Default: 127.0.0.1.")
  private @Nullable String host;

  @Option(
      names = "--port",
      paramLabel = "P",
      converter = Port.class,
      description = "Port of the API and the pages; 0 for any. Default: 8080.")
  private @Nullable Integer port;

  @Option(
      names = "--router-port",
      paramLabel = "R",
      converter = RouterPort.class,
      description = "Port of the serving router; 0 for any, 'off' for none. Default: 8000.")
  private @Nullable Integer routerPort;

  @Option(
      names = "--home",
      paramLabel = "DIR",
      description = "Where it keeps its files. Default: $ORRERY_HOME, else ~/.orrery.")
  private @Nullable Path home;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Configuration file. Default: orrery.yml in the home, when it is there.")
  private @Nullable Path config;

  @Option(
      names = "--roles",
      paramLabel = "LIST",
      split = ",",
      description =
          "Which parts of the server this process runs, where others of its cluster run the rest:"
              + " gateway, orchestrator, tuner, metrics, router. Default: all.")
  private List<String> roles = new ArrayList<>();

  @Option(names = "--detach", description = "Run in the background; return when it is ready.")
  private boolean detach;

  @Option(
      names = "--no-resume",
      description = "Leave the experiments that were running as they are.")
  private boolean noResume;

  @Option(names = "--parent-pid", paramLabel = "PID", hidden = true)
  private @Nullable Long parentPid;

  /**
   * @param launcher runs a server in this process
   * @param program starts one in another
   */
  public UpCommand(
      Session session,
      ServerLauncher launcher,
      ServerProgram program,
      Supplier<Interrupts> interrupts) {
    this.session = session;
    this.launcher = launcher;
    this.program = program;
    this.interrupts = interrupts;
  }

  @Override
  public Integer call() {
    UpOptions options = options();
    Optional<ServerAddress> there = running(options.home());
    if (there.isPresent()) {
      return alreadyRunning(there.get().url().toString());
    }
    return detach ? detached(options) : launcher.serve(options);
  }

  /** The server of a home, when one is up there and answers. */
  private Optional<ServerAddress> running(Path home) {
    return ServerFile.read(home)
        .filter(file -> file.process().isPresent())
        .map(file -> new ServerAddress(file.url(), file.token(), ServerAddress.Source.FILE))
        .filter(address -> session.at(address).health() == Api.Health.READY);
  }

  private int alreadyRunning(String url) {
    session.terminal().say("already running at " + url);
    if (session.json()) {
      session.print(JsonNodeFactory.instance.objectNode().put("url", url));
    } else if (detach) {
      session.terminal().out().println(url);
    }
    return 0;
  }

  private UpOptions options() {
    Path base = session.terminal().directory();
    return new UpOptions(
        host,
        port,
        routerPort,
        home == null ? session.terminal().home() : base.resolve(home).normalize(),
        config == null ? null : base.resolve(config).normalize(),
        roles,
        !noResume,
        parentPid);
  }

  private int detached(UpOptions options) {
    BackgroundServer server =
        BackgroundServer.start(
            session, program, options.home(), arguments(options), interrupts.get());
    String url = server.api().address().url().toString();
    session.terminal().say("the server runs (pid " + server.pid() + ", log " + server.log() + ")");
    if (session.json()) {
      session.print(
          JsonNodeFactory.instance
              .objectNode()
              .put("url", url)
              .put("pid", server.pid())
              .put("log", server.log().toString()));
    } else {
      session.terminal().out().println(url);
    }
    return 0;
  }

  private static List<String> arguments(UpOptions options) {
    List<String> arguments = new ArrayList<>();
    add(arguments, "--host", options.host());
    add(arguments, "--port", options.port());
    Integer router = options.routerPort();
    add(
        arguments,
        "--router-port",
        router != null && router == UpOptions.ROUTER_OFF ? RouterPort.OFF : router);
    add(arguments, "--config", options.config());
    add(arguments, "--roles", options.roles().isEmpty() ? null : String.join(",", options.roles()));
    add(arguments, "--parent-pid", options.parentPid());
    if (!options.resume()) {
      arguments.add("--no-resume");
    }
    return arguments;
  }

  private static void add(List<String> arguments, String name, @Nullable Object value) {
    if (value != null) {
      arguments.add(name);
      arguments.add(value.toString());
    }
  }

  /** A converter of ports from 0 to 65535. */
  static final class Port implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > 65535) {
        throw new TypeConversionException("'" + text + "' is not a port (0 to 65535)");
      }
      return Integer.parseInt(text);
    }
  }

  /** A port, or {@code off}. */
  static final class RouterPort implements ITypeConverter<Integer> {
    static final String OFF = "off";

    @Override
    public Integer convert(String text) {
      return text.equals(OFF) ? (Integer) UpOptions.ROUTER_OFF : new Port().convert(text);
    }
  }
}
