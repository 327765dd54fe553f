package io.orrery.compute.gpu;

import io.orrery.compute.gpu.NvidiaSmi.Answer;
import io.orrery.compute.gpu.NvidiaSmi.Unreadable;
import io.orrery.core.process.SearchPath;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks nvidia-smi. A child that does not answer in time, or prints without end, is killed with all
 * that it has started, and not waited for: one that hangs in the driver cannot even be killed. As
 * long as such a one is there, no other is started. Thread safe.
 */
public final class GpuProbe {
  /** A driver that has to wake eight devices first takes several seconds. */
  public static final Duration LIMIT = Duration.ofSeconds(10);

  private static final String PROGRAM = "nvidia-smi";

  /** An answer has some hundred bytes for each device and process. */
  private static final int MOST = 1 << 20;

  private final SearchPath path;
  private final Duration limit;
  private volatile @Nullable Process stuck;

  /**
   * @param path where the program is looked for; each time anew, since a driver may be installed
   *     meanwhile
   * @param limit how long each of the two questions may take
   */
  public GpuProbe(SearchPath path, Duration limit) {
    this.path = path;
    this.limit = limit;
  }

  /** Looks once; blocks, for at most twice the limit. */
  public GpuSight look() {
    @Nullable Path program = path.find(PROGRAM).orElse(null);
    if (program == null) {
      return new GpuSight.Absent();
    }
    Process before = stuck;
    if (before != null && before.isAlive()) {
      return new GpuSight.Failed(
          "nvidia-smi hangs: process " + before.pid() + " was killed and does not end");
    }
    try {
      Answer devices = ask(program, NvidiaSmi.DEVICES);
      return NvidiaSmi.sight(devices, ask(program, NvidiaSmi.PROCESSES));
    } catch (Unreadable e) {
      return new GpuSight.Failed("nvidia-smi " + e.getMessage());
    } catch (IOException | ExecutionException e) {
      return new GpuSight.Failed("nvidia-smi cannot be run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new GpuSight.Failed("nvidia-smi was not waited for");
    }
  }

  /** Reads once how much the devices are used; blocks, for at most the limit. */
  public GpuReading.All read() {
    @Nullable Path program = path.find(PROGRAM).orElse(null);
    if (program == null) {
      return GpuReading.All.NONE;
    }
    Process before = stuck;
    if (before != null && before.isAlive()) {
      return new GpuReading.All(List.of(), "nvidia-smi hangs");
    }
    try {
      return new GpuReading.All(NvidiaSmi.readings(ask(program, NvidiaSmi.USE)), null);
    } catch (Unreadable e) {
      return new GpuReading.All(List.of(), "nvidia-smi " + e.getMessage());
    } catch (IOException | ExecutionException e) {
      return new GpuReading.All(List.of(), "nvidia-smi cannot be run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new GpuReading.All(List.of(), "nvidia-smi was not waited for");
    }
  }

  private Answer ask(Path program, List<String> question)
      throws IOException, InterruptedException, ExecutionException, Unreadable {
    List<String> command = new ArrayList<>(question);
    command.addFirst(program.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .start();
    CompletableFuture<byte[]> printed = new CompletableFuture<>();
    Thread.ofVirtual().name("nvidia-smi").start(() -> read(process, printed));
    CompletableFuture<Answer> answer =
        printed.thenCombine(
            process.onExit(),
            (bytes, ended) ->
                new Answer(ended.exitValue(), new String(bytes, StandardCharsets.UTF_8)));
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new Unreadable("did not answer within " + limit.toMillis() / 1000.0 + " s");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Overflow) {
        throw new Unreadable("printed without end");
      }
      throw e;
    } finally {
      if (!answer.isDone() || answer.isCompletedExceptionally()) {
        kill(process);
      }
    }
  }

  private static void read(Process process, CompletableFuture<byte[]> printed) {
    try (InputStream output = process.getInputStream()) {
      byte[] bytes = output.readNBytes(MOST + 1);
      if (bytes.length > MOST) {
        printed.completeExceptionally(new Overflow());
      } else {
        printed.complete(bytes);
      }
    } catch (IOException e) {
      printed.completeExceptionally(e);
    }
  }

  private void kill(Process process) {
    stuck = process;
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private static final class Overflow extends IOException {
    private static final long serialVersionUID = 1;
  }
}
