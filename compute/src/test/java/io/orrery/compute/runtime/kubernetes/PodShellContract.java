package io.orrery.compute.runtime.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.service.Eventually;
import io.orrery.core.bus.contract.Shells.Output;
import io.orrery.core.digest.Sha256;
import io.orrery.core.workload.TerminalSize;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Opens shells in pods of a mock cluster, with what is other for them. */
abstract class PodShellContract extends PodContract {
  private static final Path ROLE = Path.of("../deploy/kubernetes/rbac.yaml");

  private ReplicaShell shell() throws Exception {
    return await(runtime.shell(ref(1, 0), TerminalSize.USUAL));
  }

  @Test
  void aShellTakesAPasteOfManyMessages() throws Exception {
    want(1, web(Map.of()), 1);
    ready(ref(1, 0));
    byte[] paste = "zwölf Boxkämpfer 拳闘 🥊\n".repeat(1_500).getBytes(UTF_8);
    ReplicaShell shell = shell();
    String take = "stty raw -echo; echo go; head -c %d | sha256sum\n".formatted(paste.length);
    await(shell.write(take.getBytes(UTF_8)));
    shellOutput(shell, "go\n");

    await(shell.write(paste));

    shellOutput(shell, Sha256.hex(paste));
    await(shell.write("\nstty sane; printf '%s%s\\n' 拳 闘\n".getBytes(UTF_8)));
    shellOutput(shell, "拳闘\r\n");
    shell.close();
  }

  /** A node lets a shell run on whose connection has ended. */
  @Test
  void whatAShellHasStartedEndsWithIt() throws Exception {
    want(1, web(Map.of()), 1);
    ready(ref(1, 0));
    ReplicaShell shell = shell();
    await(shell.write("sleep 1000 & echo \"pid $!.\"; wait\n".getBytes(UTF_8)));
    String told = shellOutput(shell, ".\r\n").replaceAll("(?s).*pid ([0-9]+)\\..*", "$1");
    ProcessHandle sleep = ProcessHandle.of(Long.parseLong(told)).orElseThrow();
    ProcessHandle parent = sleep.parent().orElseThrow();

    shell.close();

    Eventually.until("both are gone", () -> !sleep.isAlive() && !parent.isAlive());
    assertThat(ready(ref(1, 0)).restarts()).isZero();
  }

  private ReplicaShell command(String words) throws Exception {
    return await(runtime.command(ref(1, 0), List.of("sh", "-c", words)));
  }

  /** The rest of the output of a command, and its end. */
  private Output end(ReplicaShell command) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (true) {
      Output output = await(command.read());
      all.write(output.bytes());
      if (output.ended()) {
        return new Output(all.toByteArray(), true, output.exitCode(), output.error());
      }
    }
  }

  @Test
  void aCommandHasInputAndItsErrorsAndExitCodeApart() throws Exception {
    want(1, web(Map.of()), 1);
    ready(ref(1, 0));
    ReplicaShell command = command("read -r x; echo \"got $x\"; echo bad >&2; exit 7");
    await(command.write("one two\n".getBytes(UTF_8)));

    Output end = end(command);

    assertThat(new String(end.bytes(), UTF_8)).isEqualTo("got one two\n");
    assertThat(end.error()).isEqualTo("bad");
    assertThat(end.exitCode()).isEqualTo(7);
    assertThat(end(command("tail -c +1 /dev/zero | head -c 5000000")).bytes()).hasSize(5_000_000);
  }

  @Test
  void aCommandThatIsClosedFindsItsInputEndedAndIsKilledWhenItGoesOn() throws Exception {
    want(1, web(Map.of()), 1);
    ready(ref(1, 0));
    Path cleaned = shared.resolve("cleaned");
    ReplicaShell tidy = command("cat >/dev/null; echo x >'%s'".formatted(cleaned));
    await(tidy.close());
    assertThat(cleaned).hasContent("x");

    ReplicaShell stubborn = command("sleep 1000 & echo \"pid $!.\"; wait");
    String told = shellOutput(stubborn, ".\n").replaceAll("(?s).*pid ([0-9]+)\\..*", "$1");
    ProcessHandle sleep = ProcessHandle.of(Long.parseLong(told)).orElseThrow();
    await(stubborn.close());
    Eventually.until("it is gone", () -> !sleep.isAlive());
    // As much as is written without a reader, so that nothing comes before it is closed.
    ReplicaShell full = command("cat /dev/zero");
    await(full.read());
    await(full.close());
  }

  @Test
  void aCommandEndsWithItsPod() throws Exception {
    want(1, web(Map.of()), 1);
    ready(ref(1, 0));
    ReplicaShell command = command("cat");
    want(1, web(Map.of()), 0);
    await(runtime.drain(ref(1, 0), Duration.ofSeconds(5)));

    Output end = end(command);

    assertThat(end.exitCode()).isNotEqualTo(Integer.valueOf(0));
    gone(ref(1, 0));
    assertThatThrownBy(() -> command("true")).hasMessageContaining("hello");
  }

  @Test
  void aRightThatIsMissingForShellsIsNamedAndServicesRunWithoutIt() throws Exception {
    want(1, web(Map.of()), 1);
    ready(ref(1, 0));
    String role = Files.readString(ROLE);
    String less = role.replaceFirst("(\\[pods/exec]\\s+verbs: \\[)create, ", "$1");
    assertThat(less).isNotEqualTo(role);
    cluster.allow(Files.writeString(shared.resolve("rbac.yaml"), less));

    assertThatThrownBy(this::shell)
        .hasMessageContaining("not allowed to create pods/exec in namespace trials")
        .hasMessageContaining("deploy/kubernetes/rbac.yaml");
    assertThat(await(runtime.check(web(Map.of())))).isEmpty();
    cluster.allow(ROLE);
  }
}
