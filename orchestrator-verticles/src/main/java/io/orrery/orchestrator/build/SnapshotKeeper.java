package io.orrery.orchestrator.build;

import io.orrery.compute.attempt.Background;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.SnapshotTaken;
import io.orrery.core.file.DurableFile;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.workload.WorkloadRef;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keeper of a build that is a snapshot of a container. Works on a virtual thread of its own. A
 * server that starts repeats what an earlier one has begun: nothing is half pushed, since a tag is
 * put last. What has been pushed is noted, and is not pushed again.
 */
final class SnapshotKeeper implements BuildAttendance {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotKeeper.class);
  private static final Duration AGAIN = Duration.ofSeconds(2);

  private final Bus bus;
  private final ImageBuild build;
  private final BuildFiles files;
  private final Runnable over;
  private volatile boolean canceled;
  private volatile boolean left;
  private volatile @Nullable Thread thread;

  /**
   * @param over told once nothing is left to do
   */
  SnapshotKeeper(Bus bus, BuildSettings settings, ImageBuild build, Runnable over) {
    this.bus = bus;
    this.build = build;
    this.files = BuildFiles.of(settings.root(), build);
    this.over = over;
    this.canceled = build.canceling();
  }

  @Override
  public void begin() {
    thread =
        Thread.ofVirtual().name("build-" + build.name() + "-" + build.number()).start(this::keep);
  }

  /** The engine is at work: it is only told what became of it. */
  @Override
  public void cancel() {
    canceled = true;
  }

  @Override
  public void leave() {
    left = true;
    Thread present = thread;
    if (present != null) {
      present.interrupt();
    }
  }

  private void keep() {
    try {
      BuildEnd end = null;
      while (!left) {
        try {
          end = end == null ? taken() : end;
          end.report(bus, build);
          return;
        } catch (InterruptedException e) {
          left = true;
        } catch (Exception e) {
          LOG.warn("could not keep build {}: {}", build.name(), e.getMessage());
          pause();
        }
      }
    } finally {
      over.run();
    }
  }

  private void pause() {
    try {
      Thread.sleep(AGAIN);
    } catch (InterruptedException e) {
      left = true;
    }
  }

  private BuildEnd taken() throws Exception {
    files.claim(build);
    SnapshotTaken before = noted();
    if (before != null) {
      return confirmed(before);
    }
    return canceled ? BuildEnd.canceled("it was canceled before it began") : pushed();
  }

  private BuildEnd pushed() throws Exception {
    String source = String.valueOf(build.spec().snapshotOf());
    String target = build.spec().target();
    new BuildEnd(BuildStatus.RUNNING, null, null, null).report(bus, build);
    write("Keeping the files of %s as an image, and pushing it as %s".formatted(source, target));
    SnapshotTaken taken;
    try {
      taken =
          Background.await(
              bus.request(
                  Workloads.SNAPSHOT,
                  new Workloads.TakeSnapshot(WorkloadRef.parse(source), build.project(), target)));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      String why = Problem.of(e).detail();
      write(why);
      return canceled ? BuildEnd.canceled(null) : BuildEnd.failed("the snapshot failed: " + why);
    }
    note(taken);
    return confirmed(taken);
  }

  /** The image that this server, or one before it, has pushed; null for none. */
  private @Nullable SnapshotTaken noted() throws IOException {
    try {
      return Json.read(Files.readString(file()), SnapshotTaken.class);
    } catch (NoSuchFileException none) {
      return null;
    }
  }

  private void note(SnapshotTaken taken) throws IOException {
    DurableFile.write(file(), Json.write(taken).getBytes(StandardCharsets.UTF_8));
  }

  private Path file() {
    return files.directory().resolve("pushed.json");
  }

  private BuildEnd confirmed(SnapshotTaken taken) throws Exception {
    BuildEnd end = BuildEnd.confirmed(bus, build, taken.digest(), taken.bytes());
    write(end.digest() == null ? String.valueOf(end.reason()) : "Pushed " + end.digest());
    return canceled && end.digest() != null
        ? new BuildEnd(
            BuildStatus.CANCELED,
            "the image was pushed before it was canceled",
            end.digest(),
            end.bytes())
        : end;
  }

  private void write(String line) throws IOException {
    Path directory = Files.createDirectories(files.run(1));
    Files.writeString(
        directory.resolve("log"),
        line + "\n",
        StandardCharsets.UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
