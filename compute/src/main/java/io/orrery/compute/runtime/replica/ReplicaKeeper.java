package io.orrery.compute.runtime.replica;

import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.replica.Prerequisites.Later;
import io.orrery.compute.runtime.replica.Prerequisites.Met;
import io.orrery.compute.runtime.replica.Prerequisites.Missing;
import io.orrery.compute.runtime.replica.ReplicaFiles.Facts;
import io.orrery.compute.runtime.replica.ReplicaProgram.Delay;
import io.orrery.compute.runtime.replica.ReplicaProgram.Sight;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one replica running: starts its program, probes it, restarts it, and ends it when it is
 * drained. It works on a thread of its own only when there is something to do (a timer, the result
 * of a probe, the end of a process), one step after the other; {@link ReplicaModel} decides.
 */
final class ReplicaKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaKeeper.class);

  private static final Duration DELAYED = Duration.ofSeconds(1);
  private static final Duration LATER = Duration.ofSeconds(5);

  /** The longest time that a starting program keeps others from starting. */
  private static final Duration TURN = Duration.ofSeconds(2);

  private final ReplicaTools tools;
  private final ReplicaRef ref;
  private final WorkloadSpec spec;
  private final ReplicaFiles files;
  private final ReplicaSiblings siblings;
  private final NudgedSteps steps;
  private final Runnable nudge;
  private final StepTimer timer;
  private final ReplicaProbes probes;
  private final ReplicaShare share;

  private volatile ReplicaModel model;
  private volatile Replica shown;
  private volatile @Nullable Instant drainUntil;
  private volatile int run;

  private volatile @Nullable ReplicaProgram program;
  private @Nullable Delay delay;
  private Instant launchedAt = Instant.EPOCH;
  private boolean gone;

  ReplicaKeeper(ReplicaTools tools, ReplicaRef ref, WorkloadSpec spec, ReplicaSiblings siblings) {
    this.tools = tools;
    this.ref = ref;
    this.spec = spec;
    this.files = tools.files(ref);
    this.siblings = siblings;
    this.steps = new NudgedSteps(tools.executor(), this::step, this::failed);
    this.nudge = steps::nudge;
    this.timer = new StepTimer(tools.clock(), tools.settings().tick(), nudge);
    this.share = new ReplicaShare(tools, ref, spec, nudge);
    this.model = ReplicaModel.fresh(tools.clock().now());
    this.probes = new ReplicaProbes(tools, spec, nudge);
    this.shown = show();
  }

  ReplicaRef ref() {
    return ref;
  }

  Replica shown() {
    return shown;
  }

  /** The number on which it listens instead of its given port; 0 for none. */
  int fixedPort() {
    return probes.endpoints().fixed();
  }

  /** Whether it was asked to end. */
  boolean isDrained() {
    return drainUntil != null;
  }

  /** The time between SIGTERM and SIGKILL. */
  Duration grace() {
    return spec.grace();
  }

  /** Takes over what an earlier server has left; before the first step. Blocks. */
  void adopt(Facts facts) throws IOException {
    share.adopt(facts);
    probes.given(share.all().ports());
    drainUntil = files.drain();
    int last = files.lastRun();
    if (last == 0) {
      return;
    }
    ReplicaProgram found = tools.machine().program(ref, files.run(last), nudge);
    if (found.revoke()) {
      // Its launch was under way. The next one is of the same run.
      run = last - 1;
      return;
    }
    run = last;
    program = found;
    Map<String, String> endpoints = files.ready(run);
    boolean runs = found.look() == Sight.RUNS;
    Instant since = Objects.requireNonNullElse(found.since(), tools.clock().now());
    launchedAt = since;
    model =
        ReplicaModel.found(
            runs && endpoints != null ? ReplicaState.READY : ReplicaState.STARTING,
            since,
            run - 1,
            facts.failures());
    probes.begin(run, launchedAt);
    if (runs && endpoints != null) {
      probes.found(endpoints);
    }
    shown = show();
  }

  /** Begins to work. */
  void begin() {
    steps.begin();
  }

  /**
   * Asks it to end. Blocks.
   *
   * @param grace until it is killed
   */
  void drain(Duration grace) throws IOException {
    Instant until = tools.clock().now().plus(grace);
    try {
      files.recordDrain(until);
    } catch (NoSuchFileException notYet) {
      // Neither its files nor its program are there yet, or no more.
    }
    drainUntil = until;
    steps.nudge();
  }

  /** Looks whether something is due; cheap, on an event loop. */
  void tick(long now) {
    timer.tick(now);
  }

  private void failed(Exception e) {
    LOG.warn("could not track replica {}: {}", ref, e.toString());
    timer.at(tools.clock().now().plus(LATER));
  }

  private void step() throws IOException {
    if (gone) {
      return;
    }
    timer.clear();
    if (drainUntil != null) {
      model = model.drained(tools.clock().now());
      publish();
    }
    ReplicaState before;
    do {
      before = model.state();
      Instant now = tools.clock().now();
      switch (before) {
        case WAITING -> start(now);
        case STARTING, READY, UNREADY -> follow(now);
        case CLEARING -> clear(now);
        case BACKOFF, FAILED -> model = model.dueAt(now);
        case STOPPING -> stop(now);
        case GONE -> gone = true;
      }
    } while (model.state() != before);
    Instant due = model.due();
    if (due != null) {
      timer.at(due);
    }
    publish();
    if (gone) {
      siblings.gone(this);
    } else {
      timer.set();
    }
  }

  private void start(Instant now) throws IOException {
    switch (tools.machine().prepare(spec, nudge)) {
      case Met met -> {}
      case Later later -> {
        tools.starts().leave(nudge);
        model = model.waiting(later.reason());
        timer.at(now.plus(LATER));
        return;
      }
      case Missing missing -> {
        tools.starts().leave(nudge);
        model = model.impossible(now, missing.reason(), now.plus(tools.settings().retry()));
        return;
      }
    }
    if (!tools.starts().ask(nudge)) {
      model = model.waiting("it waits for its turn: many replicas are starting");
      return;
    }
    try {
      String lack = share.take(model.failures());
      if (lack != null) {
        tools.starts().leave(nudge);
        model = model.waiting(lack);
        timer.at(now.plus(LATER));
        return;
      }
      launch(now);
    } catch (IOException e) {
      tools.starts().leave(nudge);
      model = model.waiting("this machine cannot start it now: " + e.getMessage());
      timer.at(now.plus(LATER));
    }
  }

  private void launch(Instant now) throws IOException {
    int number = run + 1;
    files.makeRun(number);
    // A program whose code lies elsewhere has it too: as its HOME, and to write to.
    ReplicaFiles.makePrivate(files.work());
    run = number;
    ReplicaProgram next = tools.machine().program(ref, files.run(number), nudge);
    program = next;
    launchedAt = now;
    probes.given(share.all().ports());
    probes.begin(run, now);
    model = model.launched(now, run);
    try {
      next.launch(spec, files.work(), share.all());
      // An engine takes a second or more, which is none of the program's time to become ready.
      launchedAt = tools.clock().now();
    } catch (IOException e) {
      end(now, "it could not be started: " + e.getMessage());
    }
  }

  private void follow(Instant now) throws IOException {
    ReplicaProgram present = Objects.requireNonNull(program);
    switch (present.look()) {
      case UNDER_WAY -> awaitLaunch(now, present.delay());
      case OVER -> {
        end(now, EndReason.exit(present.exitCode(), present.endNote(), files.log(run).lastLines()));
        return;
      }
      case RUNS -> {
        if (delay != null) {
          delay = null;
          launchedAt = now;
        }
        if (!answers(now, present)) {
          return;
        }
        timer.at(probes.next(model.state(), now));
        present.rotate(files.log(run), tools.settings().largestLog());
      }
    }
    boolean isStarting = model.state() == ReplicaState.STARTING;
    Instant deadline = launchedAt.plus(spec.startupDeadline());
    if (isStarting && !now.isBefore(deadline)) {
      end(now, EndReason.late(spec.startupDeadline(), model.reason()));
      return;
    }
    if (isStarting) {
      timer.at(deadline);
    }
    if (!isStarting || !now.isBefore(launchedAt.plus(TURN))) {
      tools.starts().leave(nudge);
    } else {
      timer.at(launchedAt.plus(TURN));
    }
  }

  /** Waits for a launch; what is not the program's own is no part of its time to become ready. */
  private void awaitLaunch(Instant now, @Nullable Delay present) {
    delay = present;
    if (present != null) {
      launchedAt = now;
      model = model.unanswered(now, present.reason());
      tools.starts().leave(nudge);
    }
    timer.at(now.plus(present == null ? Pauses.ofLaunch(launchedAt, now) : DELAYED));
  }

  /** Takes what the probes have found; false when the program is to be restarted. */
  private boolean answers(Instant now, ReplicaProgram present) throws IOException {
    if (probes.look(present, now) && model.state() != ReplicaState.STARTING) {
      files.recordReady(run, probes.endpoints().addresses());
    }
    String why = probes.take(model.state());
    if (why == null) {
      return true;
    }
    if (!why.isEmpty()) {
      model = model.unanswered(now, why);
      if (model.state() == ReplicaState.UNREADY) {
        files.forgetReady(run);
      }
      return true;
    }
    if (model.state() == ReplicaState.STARTING) {
      int stranger = probes.stranger(present);
      if (stranger != 0) {
        end(now, EndReason.stranger(stranger));
        return false;
      }
    }
    ReplicaState before = model.state();
    model = model.answered(now);
    if (model.state() != before) {
      files.recordReady(run, probes.endpoints().addresses());
    }
    return true;
  }

  private void end(Instant now, String why) throws IOException {
    tools.starts().leave(nudge);
    int number = siblings.fixedPort(this);
    String reason =
        number == 0 || (probes.endpoints().complete() && fixedPort() == 0)
            ? why
            : EndReason.fixedPort(number, why);
    int failures =
        tools.settings().backoff().failures(model.failures(), Duration.between(launchedAt, now));
    model = model.ended(now, reason, failures).told(exitCode(), files.log(run).lastLines());
  }

  private @Nullable Integer exitCode() throws IOException {
    return program == null ? null : program.exitCode();
  }

  private void clear(Instant now) throws IOException {
    if (program != null && !program.isCleared(spec.grace())) {
      return;
    }
    share.record(model.failures());
    Duration pause = tools.settings().backoff().pause(model.failures(), tools.random());
    model =
        model.told(exitCode(), files.log(run).lastLines()).cleared(now, model.since().plus(pause));
  }

  private void stop(Instant now) throws IOException {
    tools.starts().leave(nudge);
    Duration grace = Duration.between(now, Objects.requireNonNull(drainUntil));
    if (program != null && !program.isCleared(grace.isNegative() ? Duration.ZERO : grace)) {
      return;
    }
    files.delete();
    share.release();
    model = model.cleared(now, now);
  }

  /** Leaves it to another server. */
  void leave() {
    share.leave();
  }

  private Replica show() {
    return model.shown(ref, probes.endpoints().addresses(), delay);
  }

  private void publish() {
    Replica next = show();
    if (!next.equals(shown)) {
      shown = next;
      siblings.changed();
    }
  }

  /** Opens something beside its program; null when that does not run. Blocks. */
  @Nullable ReplicaShell beside(ReplicaProgram.Opening opening) throws IOException {
    ReplicaProgram present = model.state().isUp() ? program : null;
    return present == null ? null : opening.open(present, spec, files.work(), share.all());
  }

  /** The log of its present program, or of the one before; null when there was none. */
  @Nullable ReplicaLog log(boolean previous) {
    int number = previous ? run - 1 : run;
    return number < 1 ? null : files.log(number);
  }

  /** Whether its present program may still write. */
  boolean mayWrite() {
    return model.state().mayWrite();
  }
}
