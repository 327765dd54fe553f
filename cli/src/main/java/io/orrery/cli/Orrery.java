package io.orrery.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.apply.ApplyCommand;
import io.orrery.cli.apply.DeleteCommand;
import io.orrery.cli.apply.DescribeCommand;
import io.orrery.cli.apply.GetCommand;
import io.orrery.cli.archive.ArchiveVerbs;
import io.orrery.cli.backup.BackupCommand;
import io.orrery.cli.backup.RestoreCommand;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.Unreachable;
import io.orrery.cli.completion.CompletionCommand;
import io.orrery.cli.completion.ExplainCommand;
import io.orrery.cli.completion.ManCommand;
import io.orrery.cli.completion.SchemaCommand;
import io.orrery.cli.doctor.DoctorCommand;
import io.orrery.cli.domain.DomainCommand;
import io.orrery.cli.exchange.ExportCommand;
import io.orrery.cli.exchange.ImportCommand;
import io.orrery.cli.experiment.ExperimentCommand;
import io.orrery.cli.experiment.TopCommand;
import io.orrery.cli.files.FilesCommand;
import io.orrery.cli.model.ModelCommand;
import io.orrery.cli.nni.Abbreviations;
import io.orrery.cli.nni.Nnictl;
import io.orrery.cli.notebook.NotebookCommand;
import io.orrery.cli.people.AuditCommand;
import io.orrery.cli.people.LoginCommand;
import io.orrery.cli.people.LogoutCommand;
import io.orrery.cli.people.ProjectCommand;
import io.orrery.cli.people.RetentionCommand;
import io.orrery.cli.people.UsageCommand;
import io.orrery.cli.people.UserCommand;
import io.orrery.cli.people.WhoAmICommand;
import io.orrery.cli.pipeline.PipelineCommand;
import io.orrery.cli.pipeline.RunCommand;
import io.orrery.cli.pipeline.ScheduleCommand;
import io.orrery.cli.pipeline.TaskCommand;
import io.orrery.cli.pipeline.TemplateCommand;
import io.orrery.cli.platform.PlatformCommand;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.registry.BuildCommand;
import io.orrery.cli.registry.ImageCommand;
import io.orrery.cli.registry.RegistryCommand;
import io.orrery.cli.route.RouteCommand;
import io.orrery.cli.route.RouteLauncher;
import io.orrery.cli.server.DownCommand;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerLauncher;
import io.orrery.cli.server.ServerProgram;
import io.orrery.cli.server.StatusCommand;
import io.orrery.cli.server.UpCommand;
import io.orrery.cli.service.ServiceCommand;
import io.orrery.cli.token.TokenCommand;
import io.orrery.cli.trial.TrialVerbs;
import io.orrery.cli.tuner.TunerCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/**
 * The command line. Exit code 0 is success, 1 failure, 2 bad usage or refused input, 130 Ctrl-C.
 * Results go to stdout, everything else to stderr.
 */
@Command(
    name = "orrery",
    description = "Tunes models, runs their trials on any compute platform, and serves them.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class Orrery {
  /** The name under which the command speaks as NNI's. */
  private static final String NNI = "nnictl";

  private Orrery() {}

  /**
   * Runs one command of this process.
   *
   * @param name how the program was called: {@code orrery} or {@code nnictl}
   * @param server runs the server in this process, for {@code up}
   * @param router runs the serving router in this process, for {@code route}
   * @return the exit code; the caller ends the process with it
   */
  public static int run(
      String name, String[] arguments, ServerLauncher server, RouteLauncher router) {
    return run(
        name,
        arguments,
        server,
        router,
        ServerProgram.ofThisProcess(),
        Terminal.system(),
        Interrupts::ofThisProcess);
  }

  /**
   * Runs one command with everything it touches handed in.
   *
   * @param program starts a server in another process
   * @param interrupts how Ctrl-C arrives; asked for only by verbs that handle it
   */
  public static int run(
      String name,
      String[] arguments,
      ServerLauncher server,
      RouteLauncher router,
      ServerProgram program,
      Terminal terminal,
      Supplier<Interrupts> interrupts) {
    Session session = new Session(terminal);
    Map<String, Supplier<Object>> verbs = new LinkedHashMap<>();
    verbs.put(
        "experiment",
        () -> ArchiveVerbs.addTo(ExperimentCommand.of(session, program, interrupts), session));
    verbs.put("trial", () -> TrialVerbs.of(session));
    verbs.put("tuner", () -> new TunerCommand(session));
    verbs.put("platform", () -> new PlatformCommand(session));
    verbs.put("token", () -> new TokenCommand(session));
    verbs.put("login", () -> new LoginCommand(session));
    verbs.put("logout", () -> new LogoutCommand(session));
    verbs.put("whoami", () -> new WhoAmICommand(session));
    verbs.put("user", () -> new UserCommand(session));
    verbs.put("project", () -> new ProjectCommand(session));
    verbs.put("apply", () -> new ApplyCommand(session));
    verbs.put("get", () -> new GetCommand(session, interrupts));
    verbs.put("describe", () -> new DescribeCommand(session));
    verbs.put("delete", () -> new DeleteCommand(session));
    verbs.put("explain", () -> new ExplainCommand(session));
    verbs.put("service", () -> new ServiceCommand(session));
    verbs.put("notebook", () -> new NotebookCommand(session));
    verbs.put("files", () -> new FilesCommand(session));
    verbs.put("model", () -> new ModelCommand(session, interrupts));
    verbs.put("pipeline", () -> PipelineCommand.of(session, program, interrupts));
    verbs.put("run", () -> new RunCommand(session, interrupts));
    verbs.put("task", () -> new TaskCommand(session, interrupts));
    verbs.put("schedule", () -> new ScheduleCommand(session));
    verbs.put("template", () -> new TemplateCommand(session));
    verbs.put("domain", () -> new DomainCommand(session));
    verbs.put("registry", () -> new RegistryCommand(session));
    verbs.put("build", () -> new BuildCommand(session));
    verbs.put("image", () -> new ImageCommand(session));
    verbs.put("import", () -> new ImportCommand(session));
    verbs.put("export", () -> new ExportCommand(session));
    verbs.put("audit", () -> new AuditCommand(session));
    verbs.put("retention", () -> new RetentionCommand(session));
    verbs.put("usage", () -> new UsageCommand(session));
    verbs.put("up", () -> new UpCommand(session, server, program, interrupts));
    verbs.put("down", () -> new DownCommand(session));
    verbs.put("doctor", () -> new DoctorCommand(session, server, Orrery::version));
    verbs.put("backup", () -> new BackupCommand(session, Orrery::version));
    verbs.put("restore", () -> new RestoreCommand(session));
    verbs.put("status", () -> new StatusCommand(session));
    verbs.put("top", () -> new TopCommand(session, interrupts));
    verbs.put("route", () -> new RouteCommand(session, router));
    verbs.put("completion", () -> new CompletionCommand(session, () -> line(name, session, verbs)));
    verbs.put("man", () -> new ManCommand(session, () -> line(name, session, verbs)));
    verbs.put("schema", () -> new SchemaCommand(session));
    verbs.put("version", () -> new VersionCommand(session));
    boolean nni = name.equals(NNI);
    if (nni) {
      Nnictl.add(verbs, session, program, interrupts);
    }
    String[] asked = spelledOut(arguments);
    Map<String, Supplier<Object>> wanted = wanted(asked, verbs);
    AtomicBoolean misunderstood = new AtomicBoolean();
    IParameterExceptionHandler confused =
        (e, args) -> {
          misunderstood.set(true);
          return badUsage(e, terminal);
        };
    // A mistake is explained by who knows all verbs.
    IParameterExceptionHandler first =
        wanted.size() < verbs.size()
            ? (e, args) ->
                line(name, session, verbs).setParameterExceptionHandler(confused).execute(args)
            : confused;
    CommandLine understood = line(name, session, wanted);
    String[] whole = nni ? Abbreviations.expanded(understood, asked) : asked;
    int exitCode = understood.setParameterExceptionHandler(first).execute(whole);
    terminal.out().flush();
    String unwritten = terminal.outputFailure();
    if (unwritten != null) {
      terminal.say(unwritten);
      exitCode = exitCode == 0 ? CommandFailure.FAILED : exitCode;
    }
    terminal.err().flush();
    // NNI's own ends with 2 when it does not understand the line, and else with 1.
    boolean refused = exitCode == CommandFailure.REFUSED && !misunderstood.get();
    return nni && refused ? CommandFailure.FAILED : exitCode;
  }

  private static CommandLine line(
      String name, Session session, Map<String, Supplier<Object>> verbs) {
    Terminal terminal = session.terminal();
    CommandLine line = new CommandLine(root(session, name));
    verbs.forEach((verb, command) -> line.addSubcommand(verb, command.get()));
    line.setCommandName(name);
    Examples.addTo(line);
    return line.setColorScheme(
            CommandLine.Help.defaultColorScheme(
                terminal.colour() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF))
        .setOut(writer(terminal.out()))
        .setErr(writer(terminal.err()))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((e, command, parsed) -> failed(e, session));
  }

  /**
   * Describing all verbs to the parser is most of what a short command does: when it is plain which
   * one is meant, the others are left out. Help and mistakes see them all.
   */
  private static Map<String, Supplier<Object>> wanted(
      String[] arguments, Map<String, Supplier<Object>> verbs) {
    Supplier<Object> meant = arguments.length == 0 ? null : verbs.get(arguments[0]);
    return meant == null ? verbs : Map.of(arguments[0], meant);
  }

  /** The program, with the options that every verb takes. */
  private static CommandSpec root(Session session, String name) {
    boolean nni = name.equals(NNI);
    return CommandSpec.forAnnotatedObject(new Orrery())
        .addMixin("session", CommandSpec.forAnnotatedObject(session))
        .addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .scopeType(ScopeType.INHERIT)
                .description("Show this help.")
                .build())
        .addOption(
            OptionSpec.builder(
                    nni ? new String[] {"-v", "--version"} : new String[] {"-V", "--version"})
                .versionHelp(true)
                .description("Print the version.")
                .build())
        .versionProvider(
            () -> new String[] {nni ? VersionCommand.NNI : "orrery " + VersionCommand.version()});
  }

  /** The version of this program. */
  public static String version() {
    try {
      return VersionCommand.version();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** For those who say {@code help VERB} where others say {@code VERB --help}. */
  private static String[] spelledOut(String[] arguments) {
    if (arguments.length == 0 || !arguments[0].equals("help")) {
      return arguments;
    }
    String[] asked = Arrays.copyOfRange(arguments, 1, arguments.length + 1);
    asked[arguments.length - 1] = "--help";
    return asked;
  }

  private static PrintWriter writer(PrintStream stream) {
    // Every stream of a terminal takes UTF-8, and writes what its locale has of it.
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }

  private static int badUsage(ParameterException e, Terminal terminal) {
    terminal.say(BadUsage.sentence(e));
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    terminal.err().println("`" + command + " --help` shows what there is.");
    return CommandFailure.REFUSED;
  }

  private static int failed(Exception e, Session session) {
    Terminal terminal = session.terminal();
    return switch (e) {
      case CommandFailure failure -> {
        // Compilers' form stands at the start of the line, so that editors find the place.
        if (failure.document() == null) {
          terminal.say(failure.text());
        } else {
          terminal.err().println(failure.text());
        }
        printProblem(failure.document(), session);
        yield failure.exitCode();
      }
      case ProblemResponse problem -> {
        terminal.say(problem.text());
        problem.findings().stream()
            .filter(finding -> !problem.text().endsWith(finding.text()))
            .forEach(finding -> terminal.err().println("  " + finding.text()));
        printProblem(problem.document(), session);
        yield problem.exitCode();
      }
      case Unreachable unreachable -> {
        terminal.say(String.valueOf(unreachable.getMessage()));
        yield CommandFailure.FAILED;
      }
      default -> {
        terminal.say("a fault of ours: " + e);
        e.printStackTrace(terminal.err());
        yield CommandFailure.FAILED;
      }
    };
  }

  private static void printProblem(@Nullable JsonNode document, Session session) {
    if (session.json() && document != null) {
      session.print(document);
    }
  }
}
