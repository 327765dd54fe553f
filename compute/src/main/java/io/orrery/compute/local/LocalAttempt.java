package io.orrery.compute.local;

import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.process.ChildProcess;
import io.orrery.compute.process.LaunchClaims;
import io.orrery.compute.process.LaunchClaims.Canceled;
import io.orrery.compute.process.LaunchClaims.Claim;
import io.orrery.compute.process.LaunchClaims.Free;
import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.LaunchClaims.Unsigned;
import io.orrery.compute.process.LimitWatch;
import io.orrery.compute.process.ProcessSignals;
import io.orrery.compute.process.ProcessTable;
import io.orrery.compute.process.Processes;
import io.orrery.compute.process.Processes.Found;
import io.orrery.compute.process.Termination;
import io.orrery.compute.process.WrapperDirectory.State;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.Submission;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.process.Sandbox;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt from its launch, or from its adoption, to its end. Its own virtual thread sleeps until
 * it is woken (a file has changed, a process has ended, a batch is durable, a timer or the
 * service's tick), looks at files and processes, and does what follows. What it knows is only what
 * it has seen on the disk and in {@code /proc}: so it makes no difference who started the wrapper.
 */
final class LocalAttempt {
  private static final Logger LOG = LoggerFactory.getLogger(LocalAttempt.class);
  private static final Duration SOON = Duration.ofMillis(2);

  private final AttemptRef ref;
  private final AttemptFiles files;
  private final LaunchClaims claims;
  private final String mark;
  private final ProcessTable census;
  private final LocalSettings settings;
  private final LimitWatch limits;
  private final Clock clock;
  private final PlatformListener listener;
  private final Reports reports;
  private final Semaphore nudges = new Semaphore(0);
  private final CompletableFuture<Void> launched = new CompletableFuture<>();
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private final UseMeter meter;
  private volatile boolean ticked;
  private volatile boolean toEnd;
  private volatile boolean withdrawn;
  private @Nullable String complaint;
  private @Nullable ChildProcess wrapper;
  private @Nullable Taken started;
  private @Nullable Termination ending;
  private boolean seen;
  private boolean vacated;
  private boolean hurried;
  private volatile List<Path> writable;

  LocalAttempt(
      AttemptRef ref,
      AttemptFiles files,
      String mark,
      ProcessTable census,
      LocalSettings settings,
      Sandbox sandbox,
      Clock clock,
      PlatformListener listener) {
    this.limits = new LimitWatch(sandbox, clock, census, mark);
    this.writable = List.of(files.directory());
    this.meter = new UseMeter(ref);
    this.ref = ref;
    this.files = files;
    this.claims = files.claims();
    this.mark = mark;
    this.census = census;
    this.settings = settings;
    this.clock = clock;
    this.listener = listener;
    this.reports = new Reports(ref, files, listener, clock, this::nudge);
  }

  AttemptRef ref() {
    return ref;
  }

  String mark() {
    return mark;
  }

  /** Completes when the wrapper has been started, or was before; fails with why it cannot be. */
  CompletableFuture<Void> launched() {
    return launched;
  }

  /** Completes after {@code Ended}, or when the launch has failed. */
  CompletableFuture<Void> over() {
    return over;
  }

  /** Makes its directory, for what is to be said about one that never starts. */
  void makeDirectory() throws IOException {
    files.make();
  }

  /** Whether it was neither started nor cancelled before. */
  boolean isNew() throws IOException {
    return claims.current() instanceof Free;
  }

  /** Starts the wrapper, unless the attempt was started or cancelled before. */
  void launch(Launcher launcher, Submission submission, @Nullable GpuGrant gpus)
      throws IOException {
    if (claims.current() instanceof Free free) {
      limits.admit(submission.user());
      wrapper = launcher.launch(submission, files, free.number(), mark, gpus, this::nudge);
      runs(submission, launcher);
    }
  }

  /** Takes note of what its program may change, and whose it is. */
  void runs(Submission submission, Launcher launcher) {
    limits.countFor(submission.user());
    writable = launcher.changes(submission, files);
  }

  /** Ends the attempt as soon as may be. */
  void end() {
    toEnd = true;
    nudge();
  }

  /** Ends the wait of an attempt that was never launched. */
  void withdraw() {
    withdrawn = true;
    over.complete(null);
  }

  /** Whether it was taken back before it was launched. */
  boolean isWithdrawn() {
    return withdrawn;
  }

  /** Whether its end was asked for. */
  boolean isToEnd() {
    return toEnd;
  }

  /** Ends an attempt that has no wrapper and will have none, for this reason. */
  void giveUp(String why) {
    complaint = why;
    end();
  }

  void tick() {
    ticked = true;
    nudge();
  }

  private void nudge() {
    nudges.release();
  }

  /** Stays with the attempt until it is over, or until the thread is interrupted. */
  void follow(NewAttemptPoller firstLooks, Watches watches, Runnable beforeEnded) {
    try (NewAttemptPoller.Beginner beginner = wrapper == null ? null : firstLooks.on(this::nudge);
        Watches.Watch watch = watches.on(files.nni(), this::nudge)) {
      if (beginner != null) {
        // Launched a moment ago: there is nothing to see yet.
        awaitNudge();
      }
      while (true) {
        if (beginner == null || beginner.isGrown()) {
          watch.rearm();
        }
        Ended ended = tryToLook();
        if (ended != null) {
          beforeEnded.run();
          tell(ended);
          return;
        }
        awaitNudge();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitNudge() throws InterruptedException {
    nudges.acquire();
    nudges.drainPermits();
  }

  private void tell(Ended ended) {
    try {
      listener.happened(ended);
    } finally {
      limits.close();
      over.complete(null);
    }
  }

  private @Nullable Ended tryToLook() throws InterruptedException {
    try {
      return look();
    } catch (IOException | RuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LOG.warn("could not check attempt {}, trying again: {}", ref, e.toString());
      return null;
    }
  }

  private @Nullable Ended look() throws IOException {
    boolean tick = ticked;
    ticked = false;
    Taken held = started;
    if (held != null) {
      return whileHeld(held, tick);
    }
    Claim claim = claims.current();
    return switch (claim) {
      case Free free -> Files.isDirectory(files.nni()) ? whileFree(free) : whileGone(tick);
      case Canceled canceled -> whenCanceled();
      case Unsigned unsigned -> tick ? whileUnsigned() : null;
      case Taken first -> hold(first, tick);
    };
  }

  private @Nullable Ended hold(Taken first, boolean tick) throws IOException {
    started = first;
    listener.happened(
        new PlatformEvent.Started(ref, first.at().toInstant(), files.directory().toString()));
    return whileHeld(first, tick);
  }

  /**
   * The trial has removed its own directory, and with it what the wrapper wrote there. So the
   * wrapper is the process that this server started, or the leader of the session of what carries
   * the mark.
   */
  private @Nullable Ended whileGone(boolean tick) throws IOException {
    FileTime now = FileTime.from(clock.now());
    ChildProcess child = wrapper;
    if (child != null) {
      return hold(
          new Taken(child.pid(), Processes.startTime(child.pid()), Processes.BOOT, now), tick);
    }
    if (!tick && !toEnd) {
      return null;
    }
    List<Found> marked = census.take().marked(mark);
    if (marked.isEmpty()) {
      return ended();
    }
    long session = marked.getFirst().session();
    return hold(new Taken(session, Processes.startTime(session), Processes.BOOT, now), tick);
  }

  /** The wrapper is under way, or could not even claim. */
  private @Nullable Ended whileFree(Free free) throws IOException {
    boolean failed = wrapper == null || !wrapper.isAlive();
    if (failed || toEnd) {
      if (claims.cancel(free) && !toEnd) {
        complaint = "its wrapper could not run; stderr may say why";
      }
      nudge();
    }
    return null;
  }

  private @Nullable Ended whenCanceled() {
    ChildProcess late = wrapper;
    if (late != null && late.isAlive()) {
      late.kill();
      return null;
    }
    return new Ended(
        ref,
        null,
        clock.now(),
        Objects.requireNonNullElse(complaint, "canceled before it started"));
  }

  private @Nullable Ended whileUnsigned() throws IOException {
    boolean lives = !census.take().marked(mark).isEmpty();
    // It may have signed, and even ended, while the processes were listed.
    return lives || !(claims.current() instanceof Unsigned)
        ? null
        : new Ended(ref, null, clock.now(), "its wrapper was killed before it ran the command");
  }

  private @Nullable Ended whileHeld(Taken held, boolean tick) throws IOException {
    if (tick) {
      reports.findEventFiles();
      if (!toEnd) {
        checkLimits(held);
      }
    }
    boolean running = isRunning(held);
    seen |= running;
    if (running && !toEnd) {
      reports.answer();
      if (child(held) == null && files.state() != null) {
        // The end of a foreign child is not told.
        clock.after(SOON, this::nudge);
      }
      return null;
    }
    if (ending == null
        && !held.isOfAnotherBoot()
        && (toEnd || ProcessSignals.groupExists(held.pid()))) {
      boolean known = seen || child(held) != null;
      Duration grace = hurried ? Duration.ZERO : settings.grace();
      ending = new Termination(mark, held, known, census, grace, clock, this::nudge);
    }
    if (ending != null && !ending.done()) {
      // After it was told: what a runaway wrote takes longer to read than to write again.
      reports.drained(false);
      return null;
    }
    if (!vacated) {
      vacated = true;
      reports.findEventFiles();
      listener.happened(new PlatformEvent.Vacated(ref));
    }
    return reports.drained(true) ? ended() : null;
  }

  private boolean isRunning(Taken held) {
    ChildProcess child = child(held);
    return child == null ? held.isAlive() : child.isAlive();
  }

  /** The wrapper that runs the command, when this server started it. */
  private @Nullable ChildProcess child(Taken held) {
    return wrapper != null && wrapper.pid() == held.pid() ? wrapper : null;
  }

  private void checkLimits(Taken held) throws IOException {
    meter.look(held.pid());
    String excess = limits.excess(held.pid(), writable);
    // It would only go on meanwhile.
    hurried = excess != null;
    excess = excess == null ? settings.excessLog(files) : excess;
    if (excess != null) {
      complaint = excess;
      toEnd = true;
    }
  }

  private Ended ended() throws IOException {
    State state = files.state();
    String lost = state == null ? lost() : null;
    String killed = ending == null || hurried ? null : ending.killed();
    String reason =
        Stream.concat(
                Stream.of(complaint, lost, killed).filter(Objects::nonNull), reports.complaints())
            .collect(Collectors.joining("; "));
    // A runaway that answers SIGTERM with exit code 0 has not succeeded.
    Integer exitCode =
        state == null || (complaint != null && state.exitCode() == 0) ? null : state.exitCode();
    return new Ended(
        ref,
        exitCode,
        state == null ? clock.now() : Instant.ofEpochMilli(state.at()),
        reason.isEmpty() ? null : reason,
        meter.use());
  }

  /** Why there is no exit code. */
  private String lost() {
    if (started != null && started.isOfAnotherBoot()) {
      return "the machine was started again while it ran, so the exit code is not known";
    }
    return Files.isDirectory(files.directory())
        ? "its wrapper ended without a word, so the exit code is not known"
        : "its directory "
            + files.directory()
            + " was removed while it ran, and with it the exit code";
  }
}
