package io.orrery.compute.local;

import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.local.LocalFacts.Claimed;
import io.orrery.compute.local.LocalFacts.Remains;
import io.orrery.compute.local.LocalFacts.Sight;
import io.orrery.compute.local.LocalFacts.WrapperProcess;
import io.orrery.compute.local.LocalLife.Next;
import io.orrery.compute.local.LocalState.Reason;
import io.orrery.compute.process.ChildProcess;
import io.orrery.compute.process.LaunchClaims;
import io.orrery.compute.process.LaunchClaims.Canceled;
import io.orrery.compute.process.LaunchClaims.Free;
import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.LaunchClaims.Unsigned;
import io.orrery.compute.process.LimitWatch;
import io.orrery.compute.process.ProcessSignals;
import io.orrery.compute.process.ProcessTable;
import io.orrery.compute.process.Processes;
import io.orrery.compute.process.Processes.Found;
import io.orrery.compute.process.Termination;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt from its launch, or from its adoption, to its end. Its own virtual thread sleeps until
 * it is woken (a file has changed, a process has ended, a batch is durable, a timer or the
 * service's tick), looks at files and processes, and does what {@link LocalLife} concludes from
 * them. The facts are those of the disk and of {@code /proc} alone, so it makes no difference which
 * server started the wrapper.
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
  private final LocalLife life;
  private volatile boolean ticked;
  private volatile boolean toEnd;
  private volatile boolean withdrawn;
  private volatile List<Path> writable;

  /** Why it was given up; written before {@link #toEnd}. */
  private @Nullable String refusal;

  private @Nullable ChildProcess wrapper;
  private @Nullable Termination termination;
  private LocalState state = LocalState.NEW;

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
    this.life = new LocalLife(ref, files.directory(), settings.grace());
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
    refusal = why;
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
    LocalFacts.Request request = new LocalFacts.Request(toEnd, refusal);
    LocalFacts facts = new LocalFacts(sight(tick && !request.wanted()), tick, request);
    return perform(life.conclude(state, facts, clock.now()), facts);
  }

  // ---- what is known -------------------------------------------------------------------------

  private Sight sight(boolean limited) throws IOException {
    Taken known = state.wrapper();
    if (known != null) {
      return claimed(known, limited);
    }
    ChildProcess child = wrapper;
    boolean lives = child != null && child.isAlive();
    return switch (claims.current()) {
      case Free free when Files.isDirectory(files.nni()) -> new LocalFacts.Unclaimed(free, lives);
      case Free _ when child != null -> claimed(unwritten(child.pid()), limited);
      case Free _ -> new LocalFacts.Removed();
      case Canceled _ -> new LocalFacts.Canceled(lives);
      case Unsigned _ -> new LocalFacts.Unsigned();
      case Taken taken -> claimed(taken, limited);
    };
  }

  /**
   * The wrapper of an attempt that has removed its own directory, and with it what the wrapper
   * wrote there: the process that this server started, or the leader of the session of what carries
   * the mark.
   */
  private Taken unwritten(long pid) {
    return new Taken(pid, Processes.startTime(pid), Processes.BOOT, FileTime.from(clock.now()));
  }

  private Claimed claimed(Taken held, boolean limited) throws IOException {
    Reason excess = limited && state.reason() == null ? excess(held) : null;
    ChildProcess child = wrapper != null && wrapper.pid() == held.pid() ? wrapper : null;
    boolean alive = child == null ? held.isAlive() : child.isAlive();
    LocalFacts.WrapperProcess process =
        alive
            ? child == null && files.state() != null
                ? WrapperProcess.ABOUT_TO_END
                : WrapperProcess.ALIVE
            : !held.isOfAnotherBoot() && ProcessSignals.groupExists(held.pid())
                ? WrapperProcess.LEFT_GROUP
                : WrapperProcess.GONE;
    return new Claimed(held, child != null, process, excess);
  }

  private @Nullable Reason excess(Taken held) throws IOException {
    meter.look(held.pid());
    String use = limits.excess(held.pid(), writable);
    if (use != null) {
      return new Reason(use, true);
    }
    String log = settings.excessLog(files);
    return log == null ? null : new Reason(log, false);
  }

  private Remains remains() throws IOException {
    return new Remains(
        files.state(),
        Files.isDirectory(files.directory()),
        termination == null ? null : termination.killed(),
        reports.complaints().toList(),
        meter.use());
  }

  // ---- what is done --------------------------------------------------------------------------

  private @Nullable Ended perform(Next next, LocalFacts facts) throws IOException {
    state = next.state();
    for (LocalLife.Action action : next.actions()) {
      Ended ended = perform(action, facts);
      if (ended != null) {
        return ended;
      }
    }
    return null;
  }

  /** Acts; the end, when that follows. */
  private @Nullable Ended perform(LocalLife.Action action, LocalFacts facts) throws IOException {
    Instant now = clock.now();
    switch (action) {
      case LocalLife.TellStarted(Instant at) ->
          listener.happened(new PlatformEvent.Started(ref, at, files.directory().toString()));
      case LocalLife.TellVacated _ -> listener.happened(new PlatformEvent.Vacated(ref));
      case LocalLife.FindEventFiles _ -> reports.findEventFiles();
      case LocalLife.Answer _ -> reports.answer();
      // After it was told to end: what a runaway wrote takes longer to read than to write again.
      case LocalLife.ReadOn _ -> reports.drained(false);
      case LocalLife.LookAgain _ -> nudge();
      case LocalLife.LookSoon _ -> clock.after(SOON, this::nudge);
      case LocalLife.KillWrapper _ -> Objects.requireNonNull(wrapper).kill();
      case LocalLife.Claim(Free free) -> {
        return perform(life.claimed(state, facts, claims.cancel(free)), facts);
      }
      case LocalLife.CheckUnsigned _ -> {
        // It may have signed, and even ended, while the processes were listed.
        boolean lives =
            !census.take().marked(mark).isEmpty() || !(claims.current() instanceof Unsigned);
        return perform(life.checked(state, lives, now), facts);
      }
      case LocalLife.Search _ -> {
        List<Found> marked = census.take().marked(mark);
        return perform(
            marked.isEmpty()
                ? life.end(state, facts.request(), remains(), now)
                : life.conclude(
                    state, facts.with(claimed(unwritten(marked.getFirst().session()), false)), now),
            facts);
      }
      case LocalLife.Terminate(
              LocalState.Terminating(Taken held, boolean known),
              Duration grace) -> {
        Termination begun = termination;
        if (begun == null) {
          begun = new Termination(mark, held, known, census, grace, clock, this::nudge);
          termination = begun;
        }
        return perform(life.terminated(state, begun.done()), facts);
      }
      case LocalLife.Finish _ -> {
        return reports.drained(true)
            ? perform(life.end(state, facts.request(), remains(), now), facts)
            : null;
      }
      case LocalLife.End(Ended ended) -> {
        return ended;
      }
    }
    return null;
  }
}
