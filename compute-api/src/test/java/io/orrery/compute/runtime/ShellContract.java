package io.orrery.compute.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.Eventually;
import io.orrery.core.bus.contract.Shells.Output;
import io.orrery.core.workload.TerminalSize;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The behaviour of shells in replicas of every runtime, with real programs. */
public abstract class ShellContract extends UsageContract {
  private static final Duration GRACE = Duration.ofSeconds(20);

  @Test
  protected void aShellEchoesIsResizedTellsItsExitCodeAndEndsWithItsReplica() throws Exception {
    want(1, web(Map.of("GREETING", "in there")), 1);
    ready(ref(1, 0));
    ReplicaShell shell = await(runtime.shell(ref(1, 0), new TerminalSize(90, 30)));
    await(shell.write("stty size; echo $GREETING\n".getBytes(UTF_8)));
    assertThat(shellOutput(shell, "in there\r\n")).contains("30 90");
    // As a window that is drawn smaller: the last size is the one that stays.
    List<Future<Void>> resized = new ArrayList<>();
    for (int columns = 130; columns >= 100; columns--) {
      resized.add(shell.resize(new TerminalSize(columns, 40)));
    }
    await(Future.all(resized));
    await(shell.write("stty size; exit 7\n".getBytes(UTF_8)));
    String[] end = {""};
    Integer code = null;
    for (Output output = await(shell.read()); ; output = await(shell.read())) {
      end[0] += new String(output.bytes(), UTF_8);
      if (output.ended()) {
        code = output.exitCode();
        break;
      }
    }
    assertThat(end[0]).contains("40 100");
    assertThat(code).isEqualTo(7);

    ReplicaShell other = await(runtime.shell(ref(1, 0), TerminalSize.USUAL));
    await(other.write("echo is $((20 + 3))\n".getBytes(UTF_8)));
    shellOutput(other, "is 23");
    want(1, web(Map.of()), 0);
    await(runtime.drain(ref(1, 0), GRACE));
    Eventually.until("the shell has ended", () -> await(other.read()).ended());
    gone(ref(1, 0));
  }

  /** Engines and nodes let run on what a connection has started that has ended. */
  @Test
  void whatAShellRunsInTheBackgroundEndsWithIt() throws Exception {
    want(1, web(Map.of()), 1);
    ready(ref(1, 0));
    String program = "sleep 1000." + Math.abs(System.nanoTime());
    ReplicaShell shell = await(runtime.shell(ref(1, 0), TerminalSize.USUAL));
    await(shell.write((program + " & " + program + "\n").getBytes(UTF_8)));
    Eventually.until("both run", () -> programs(program) == 2);

    await(shell.close());

    Eventually.until("both are gone", () -> programs(program) == 0);
    assertThat(ready(ref(1, 0)).restarts()).isZero();
  }
}
