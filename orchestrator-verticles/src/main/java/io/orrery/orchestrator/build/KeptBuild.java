package io.orrery.orchestrator.build;

import io.orrery.compute.runtime.replica.ReplicaLog;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A keeper that takes one step of a build after the other, on a virtual thread of its own, until
 * the build is over and its end is reported.
 */
abstract class KeptBuild implements BuildAttendance {
  private static final Logger LOG = LoggerFactory.getLogger(KeptBuild.class);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration AGAIN = Duration.ofSeconds(2);

  protected final Bus bus;
  protected final BuildPreparation preparation;
  protected final ImageBuild build;
  protected final BuildFiles files;
  private final Semaphore nudges = new Semaphore(0);
  private final Runnable over;
  private volatile boolean canceled;
  private volatile boolean left;

  /**
   * @param over told once nothing is left to do
   */
  KeptBuild(Bus bus, BuildPreparation preparation, ImageBuild build, Runnable over) {
    this.bus = bus;
    this.preparation = preparation;
    this.build = build;
    this.files = BuildFiles.of(preparation.settings().root(), build);
    this.over = over;
    this.canceled = build.canceling();
  }

  /** Takes the next step; returns the end of the build when it is over. */
  protected abstract @Nullable BuildEnd step() throws Exception;

  /** Clears what is not needed once the end is reported. */
  protected abstract void clear() throws Exception;

  /** Whether a user has canceled the build. */
  protected final boolean isCanceled() {
    return canceled;
  }

  /** Takes the next step at once. */
  protected final void nudge() {
    nudges.release();
  }

  @Override
  public final void begin() {
    Thread.ofVirtual().name("build-" + build.name() + "-" + build.number()).start(this::keep);
  }

  @Override
  public final void cancel() {
    canceled = true;
    preparation.cancel(build);
    nudge();
  }

  @Override
  public final void leave() {
    left = true;
    nudge();
  }

  private void keep() {
    try {
      BuildEnd end = null;
      boolean reported = false;
      boolean claimed = false;
      while (!left && !reported) {
        try {
          if (!claimed) {
            files.claim(build);
            claimed = true;
          }
          end = end == null ? step() : end;
          if (end != null) {
            end.report(bus, build);
            reported = true;
            clear();
          }
          pause(LOOK);
        } catch (BuildException e) {
          end = canceled ? BuildEnd.canceled(null) : BuildEnd.failed(e.getMessage());
        } catch (InterruptedException e) {
          left = true;
        } catch (Exception e) {
          LOG.warn("could not keep build {}: {}", build.name(), e.getMessage());
          pause(AGAIN);
        }
      }
    } finally {
      // An Error too gives the place to another build; the verticle looks for this one again.
      over.run();
    }
  }

  private void pause(Duration time) {
    try {
      if (nudges.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS)) {
        nudges.drainPermits();
      }
    } catch (InterruptedException e) {
      left = true;
    }
  }

  /** The last line that a program has written into its log. */
  protected static String lastLine(Path log) {
    return new ReplicaLog(log)
        .lastLines().reversed().stream()
            .filter(line -> !line.isBlank() && !line.startsWith("exit status"))
            .findFirst()
            .orElse("see its log");
  }
}
