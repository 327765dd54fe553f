package io.orrery.journeys.services;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Opens shells from the command line, in a pod of a mock cluster and on this machine. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class OpenShellsIT extends PodServiceJourney {
  private static final Pattern PROMPT = Pattern.compile("[#$] ");

  private void put(String name, boolean inPod) throws Exception {
    ObjectNode document = Json.MAPPER.createObjectNode();
    document.put("name", name).put("command", "exec sleep 1000").put("grace", "1s");
    if (inPod) {
      document.put("cluster", "kube").put("image", "busybox:1");
    }
    put(document.toString());
    ready(name);
  }

  /** The command line on a terminal that {@code script} (util-linux) makes. */
  private final class Terminal implements AutoCloseable {
    private final Process process;
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    Terminal(String service) throws IOException {
      List<String> words = ServerProcess.command("service", "shell", service);
      String line = "'" + String.join("' '", words) + "'";
      ProcessBuilder builder =
          new ProcessBuilder(
              "/usr/bin/script", "-qec", "stty cols 91 rows 33; exec " + line, "/dev/null");
      builder.environment().put("ORRERY_HOME", home().toString());
      process = builder.redirectErrorStream(true).start();
      // What was shown until then tells why it does not go on.
      process
          .onExit()
          .completeOnTimeout(process, PATIENCE.toSeconds(), TimeUnit.SECONDS)
          .thenAccept(Process::destroyForcibly);
    }

    Terminal write(String text) throws IOException {
      OutputStream keys = process.getOutputStream();
      keys.write(text.getBytes(UTF_8));
      keys.flush();
      return this;
    }

    /** Reads until the pattern is found in what was shown. */
    Matcher awaits(Pattern wanted) throws IOException {
      while (true) {
        Matcher matcher = wanted.matcher(shown.toString(UTF_8));
        if (matcher.find()) {
          return matcher;
        }
        int next = process.getInputStream().read();
        assertThat(next).as("%s", shown).isNotNegative();
        shown.write(next);
      }
    }

    /** Starts a program that stays, and one that stays when its shell has gone. */
    List<ProcessHandle> begin() throws IOException {
      awaits(PROMPT);
      write("sleep 1001 & echo \"pids $$ $!.\"; wait\n");
      Matcher told = awaits(Pattern.compile("pids ([0-9]+) ([0-9]+)\\."));
      return List.of(process(told.group(1)), process(told.group(2)));
    }

    private ProcessHandle process(String id) {
      return ProcessHandle.of(Long.parseLong(id)).orElseThrow();
    }

    @Override
    public void close() {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  @Test
  void aShellInAPodHasTheSizeOfTheTerminalAndTellsItsExitCode() throws Exception {
    assumeThat(Path.of("/usr/bin/script")).as("script, of util-linux").exists();
    put("podded", true);

    try (Terminal terminal = new Terminal("podded")) {
      terminal.awaits(PROMPT);
      terminal.write("until stty size | grep '33 91'; do sleep 0.1; done\n");
      terminal.awaits(Pattern.compile("33 91\r\n"));
      terminal.write("printf '%s%s in %s\\n' 拳 闘 \"$ORRERY_REPLICA\"; exit 7\n");
      terminal.awaits(Pattern.compile("拳闘 in service/podded/1-0\r\n"));
      assertThat(terminal.process.waitFor(50, TimeUnit.SECONDS)).isTrue();
      assertThat(terminal.process.exitValue()).as("%s", terminal.shown).isEqualTo(7);
    }
    Ended piped =
        orrery(new String[] {"service", "shell", "podded"}, "printf '%s%s\\n' ö 拳\nexit 5\n");
    assertThat(piped.out()).as(piped.err()).contains("ö拳");
    assertThat(piped.code()).isEqualTo(5);
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aServerThatStopsLeavesNoShellBehind() throws Exception {
    assumeThat(Path.of("/usr/bin/script")).as("script, of util-linux").exists();
    put("podded", true);
    put("local", false);

    try (Terminal pod = new Terminal("podded");
        Terminal machine = new Terminal("local")) {
      List<ProcessHandle> inPod = pod.begin();
      List<ProcessHandle> here = machine.begin();

      server.close();

      // Killed by then; that a process is gone may show a little later.
      await().atMost(PATIENCE).until(() -> inPod.stream().noneMatch(ProcessHandle::isAlive));
      await().atMost(PATIENCE).until(() -> here.stream().noneMatch(ProcessHandle::isAlive));
    } finally {
      begin();
    }
    ready("podded");
    ready("local");
  }
}
