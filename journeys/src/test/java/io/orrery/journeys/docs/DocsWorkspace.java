package io.orrery.journeys.docs;

import io.orrery.core.net.FreePort;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folder in which a reader follows a page: {@code ./orrery} and {@code ./nnictl} of the
 * distribution, the examples, a fresh home, and ports that no other test has in place of 8080 and
 * 8000. The words {@code EXPERIMENT} and {@code TRIAL} of a command become the id of the newest
 * experiment and of its first trial (the first that failed when one did).
 */
final class DocsWorkspace {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern END = Pattern.compile("@@ended (\\d+)");
  private static final long LONGEST_BLOCK_SECONDS = 300;
  private static final String NAMES =
      """
      import json, os, sys, time, urllib.request
      with open(os.path.join(os.environ.get("ORRERY_HOME", os.path.expanduser("~/.orrery")), "server.json")) as file:
          server = json.load(file)
      def get(path):
          request = urllib.request.Request(server["url"] + path)
          if server.get("token"):
              request.add_header("Authorization", "Bearer " + server["token"])
          return json.load(urllib.request.urlopen(request))
      experiment = get("/api/v1/experiments?limit=1")["items"][0]["id"]
      if sys.argv[1] == "experiment":
          print(experiment)
      else:
          trials = []
          deadline = time.time() + 60
          while not trials and time.time() < deadline:
              trials = [t for t in get("/api/v1/experiments/%s/trials" % experiment)["items"] if t["status"] != "WAITING"]
              time.sleep(0.1)
          failed = [t for t in trials if t["status"] in ("FAILED", "EARLY_STOPPED")]
          print(min(failed or trials, key=lambda trial: trial["sequenceId"])["id"])
      """;

  private final Path folder;
  private final int port;
  private final int routerPort;

  /** The code with which a command ended, and what it printed on both of its outputs. */
  record Outcome(int code, List<String> printed) {}

  private DocsWorkspace(Path folder, int port, int routerPort) {
    this.folder = folder;
    this.port = port;
    this.routerPort = routerPort;
  }

  static DocsWorkspace in(Path folder) throws IOException {
    Path program = Path.of(ServerProcess.command().getFirst()).toAbsolutePath().getParent();
    for (String name : List.of("orrery", "nnictl")) {
      Files.createSymbolicLink(folder.resolve(name), program.resolve(name));
    }
    for (String name : List.of("trial-sdk", "deploy")) {
      Files.createSymbolicLink(folder.resolve(name), ROOT.resolve(name));
    }
    Files.createDirectories(folder.resolve("examples"));
    Files.createSymbolicLink(
        folder.resolve("examples/services"), ROOT.resolve("examples/services"));
    Files.createDirectories(folder.resolve("gateway/target"));
    Files.createSymbolicLink(folder.resolve("gateway/target/dist"), program.getParent());
    Files.createDirectory(folder.resolve("home"));
    Files.writeString(folder.resolve("names.py"), NAMES);
    return new DocsWorkspace(folder, FreePort.take(), FreePort.take());
  }

  void write(Path file, String text) throws IOException {
    Path target = folder.resolve(file);
    Files.createDirectories(target.getParent());
    Files.writeString(target, text);
  }

  /** Runs commands in one shell; answers with what came of each that was begun. */
  List<Outcome> run(List<DocsPage.Command> commands) throws IOException, InterruptedException {
    StringBuilder script = new StringBuilder();
    for (DocsPage.Command command : commands) {
      script.append(named(command.text())).append("\nprintf '\\n@@ended %d\\n' $?\n");
    }
    Path log = folder.resolve("printed");
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", script.toString());
    builder.directory(folder.toFile());
    var environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("ORRERY_"));
    environment.put("HOME", folder.resolve("home").toString());
    environment.put("LC_ALL", "C.UTF-8");
    environment.put("ORRERY_HTTP_PORT", Integer.toString(port));
    environment.put("ORRERY_ROUTER_PORT", Integer.toString(routerPort));
    environment.merge(
        "PATH",
        folder + ":" + Path.of(System.getProperty("java.home"), "bin"),
        (path, own) -> own + ":" + path);
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    // Of a file: a server that stays in the background would keep a pipe open.
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    Process process = builder.start();
    if (!process.waitFor(LONGEST_BLOCK_SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String printed =
        Files.readString(log, StandardCharsets.UTF_8)
            .replace("127.0.0.1:" + port, "127.0.0.1:8080");
    return outcomes(printed, process.waitFor());
  }

  /** A command that ends the shell itself has the shell's code. */
  private static List<Outcome> outcomes(String log, int shellCode) {
    List<Outcome> outcomes = new ArrayList<>();
    List<String> printed = new ArrayList<>();
    for (String line : log.lines().toList()) {
      Matcher end = END.matcher(line);
      if (end.matches()) {
        outcomes.add(new Outcome(Integer.parseInt(end.group(1)), List.copyOf(printed)));
        printed.clear();
      } else {
        printed.add(line);
      }
    }
    outcomes.add(new Outcome(shellCode, List.copyOf(printed)));
    return outcomes;
  }

  private String named(String command) {
    return command
        .replace("127.0.0.1:8080", "127.0.0.1:" + port)
        .replace("127.0.0.1:8000", "127.0.0.1:" + routerPort)
        .replaceAll("\\bEXPERIMENT\\b", "\\$(python3 ~/../names.py experiment)")
        .replaceAll("\\bTRIAL\\b", "\\$(python3 ~/../names.py trial)");
  }

  /** Ends the server of the page, if one runs, and the experiments that it left. */
  void close() throws IOException, InterruptedException {
    run(
        List.of(
            new DocsPage.Command(
                "for e in $(./orrery experiment list --json | python3 -c 'import json, sys;"
                    + " [print(e[\"id\"]) for e in json.load(sys.stdin)[\"items\"]]');"
                    + " do ./orrery experiment stop $e; done; ./orrery down",
                List.of(),
                false)));
    for (String link : List.of("orrery", "nnictl", "trial-sdk", "deploy", "gateway/target/dist")) {
      Files.deleteIfExists(folder.resolve(link));
    }
  }
}
