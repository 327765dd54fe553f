package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Outcome;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of the writer thread: the open segment, the frame that is being filled, the points that
 * are not in chunks yet, and the attempts that report. No other thread may use it.
 */
final class Journal {
  private static final int FRAME = 256 << 10;

  /** A frame that grew past this is not kept for the next one. */
  private static final int LARGE_FRAME = 16 << 20;

  /** Points that were new, and how many were not. */
  record Taken(List<MetricPoint> fresh, int duplicates) {}

  /**
   * The points of a trial that are not in chunks yet.
   *
   * @param from chunks before this segment are of a history that is forgotten
   * @param before the offset up to which everything is in chunks
   * @param attempt the last attempt in the slices, 0 when there are none
   * @param era another number whenever points were taken away, of whichever trial
   */
  record Unmoved(long from, long before, int attempt, List<ActiveSegment.Slice> slices, int era) {
    /** The same for one attempt, which may have no slice. */
    Unmoved of(int wanted) {
      return wanted == attempt ? this : new Unmoved(from, before, wanted, List.of(), era);
    }
  }

  private final Segments segments;
  private final ChunkTable chunks;
  private final Compactor mover;
  private final int segmentBytes;
  private final Consumer<Deletion.Begun> deleted;
  private final Attempts attempts;

  /** Closed segments that the mover may still be working on, oldest first. */
  private final Deque<ActiveSegment> closed = new ArrayDeque<>();

  private final ExperimentsWithChunks chunked;
  private final Forgotten forgotten = new Forgotten();

  /** Deletions that may begin when the frame that asks for them is durable. */
  private final List<Deletion.Begun> toDelete = new ArrayList<>();

  /** Which points of the batch at hand were there before. */
  private final BitSet repeated = new BitSet();

  private final AtomicInteger era = new AtomicInteger();
  private Encoder frame = new Encoder(FRAME);
  private ActiveSegment tail = new ActiveSegment(0);
  private volatile long durable;

  /** Null until the log has been read back. */
  private @Nullable DurableEnd durableEnd;

  /**
   * @param deleted told, on another thread, when the last chunk of a forgotten history is gone
   */
  Journal(
      Segments segments,
      ChunkTable chunks,
      Compactor mover,
      LogLimits limits,
      Consumer<Deletion.Begun> deleted) {
    this.segments = segments;
    this.chunks = chunks;
    this.mover = mover;
    this.segmentBytes = limits.segmentBytes();
    this.deleted = deleted;
    this.chunked = new ExperimentsWithChunks(chunks.isShared());
    this.attempts = new Attempts(chunks, chunked, forgotten, limits.cachedRanges());
  }

  /** The offset behind the last durable frame; any thread may ask. */
  long durable() {
    return durable;
  }

  /** Opens the files: reads what is not in chunks, and cuts off a torn tail. */
  void recover() throws IOException, TimeoutException {
    chunks.migrate().await(60, TimeUnit.SECONDS);
    long moved = chunks.moved().await(60, TimeUnit.SECONDS);
    for (Deletion.Begun begun : chunks.begunDeletions().await(60, TimeUnit.SECONDS)) {
      forgotten.hide(begun.experiment(), begun.upto());
      toDelete.add(begun);
    }
    if (!chunks.isShared()) {
      chunked.add(chunks.experiments().await(60, TimeUnit.SECONDS));
    }
    List<Long> unmoved = segments.all().stream().filter(at -> at >= moved).toList();
    DurableEnd ending = new DurableEnd(segments);
    ending.begin(moved, unmoved);
    mover.start(moved);
    for (int i = 0; i < unmoved.size(); i++) {
      Long next = i == unmoved.size() - 1 ? null : unmoved.get(i + 1);
      tail = new ActiveSegment(unmoved.get(i));
      long end = replay(ending.read(tail.segment(), next));
      if (next == null) {
        segments.reopen(tail.segment(), end - tail.segment());
        durable = end;
      } else {
        close(next);
      }
    }
    if (unmoved.isEmpty()) {
      tail = new ActiveSegment(moved);
      segments.begin(moved);
      ending.begun(moved);
      durable = moved;
    }
    ending.tell();
    durableEnd = ending;
    deleteForgotten();
    frame.reset(Frames.HEADER);
  }

  /** Loads the attempts that are not at hand, all at once. */
  void load(List<Batch> batches) throws TimeoutException {
    Set<AttemptRef> missing = new LinkedHashSet<>();
    for (Batch batch : batches) {
      int from = 0;
      for (int to : batch.ends()) {
        AttemptRef attempt = batch.points().get(from).attempt();
        if (!attempts.has(attempt)) {
          missing.add(attempt);
        }
        from = to;
      }
    }
    if (!missing.isEmpty()) {
      attempts.load(missing);
    }
  }

  /** Puts the new points of a batch into the frame; refused when they cannot be stored. */
  Outcome<Taken> take(Batch batch) throws TimeoutException {
    Problem why = batch.unfit() == null ? excess(batch) : batch.unfit();
    if (why != null) {
      return new Outcome.Undone<>(why);
    }
    List<MetricPoint> points = batch.points();
    repeated.clear();
    int from = 0;
    for (int to : batch.ends()) {
      takeBlock(attempts.get(points.get(from).attempt()), points, from, to);
      from = to;
    }
    return new Outcome.Done<>(new Taken(fresh(points), repeated.cardinality()));
  }

  /** Why too much would be known of an attempt, or null. */
  private @Nullable Problem excess(Batch batch) throws TimeoutException {
    List<MetricPoint> points = batch.points();
    int from = 0;
    for (int to : batch.ends()) {
      AttemptState state = attempts.get(points.get(from).attempt());
      Problem excess = state.excess(points.subList(from, to));
      if (excess != null) {
        return excess;
      }
      from = to;
    }
    return null;
  }

  /** Nearly always nothing was there before, and the list is the answer. */
  private List<MetricPoint> fresh(List<MetricPoint> points) {
    if (repeated.isEmpty()) {
      return points;
    }
    List<MetricPoint> fresh = new ArrayList<>(points.size() - repeated.cardinality());
    for (int i = repeated.nextClearBit(0); i < points.size(); i = repeated.nextClearBit(i + 1)) {
      fresh.add(points.get(i));
    }
    return fresh;
  }

  Optional<MetricPoint> lastFinal(AttemptRef attempt) throws TimeoutException {
    return Optional.ofNullable(attempts.get(attempt).result());
  }

  /**
   * What of some trials' last attempts is in memory: of all at the same moment, though the mover
   * goes on meanwhile.
   *
   * @return in the order of the trials
   */
  List<Unmoved> unmoved(List<TrialRef> trials) {
    letGoOfMoved();
    return trials.stream().map(this::unmoved).toList();
  }

  private Unmoved unmoved(TrialRef trial) {
    List<ActiveSegment> tails = new ArrayList<>(closed);
    tails.add(tail);
    int last =
        tails.stream()
            .flatMap(part -> part.lastAttempt(trial).stream())
            .mapToInt(slice -> slice.attempt().number())
            .max()
            .orElse(0);
    List<ActiveSegment.Slice> slices =
        tails.stream().flatMap(part -> part.attempt(new AttemptRef(trial, last)).stream()).toList();
    return new Unmoved(
        forgotten.before(trial.experiment()), tails.getFirst().segment(), last, slices, era.get());
  }

  /** Some points were thinned out; any thread may say so. */
  void thinnedOut() {
    era.incrementAndGet();
  }

  /** Hides an experiment, and has it deleted as soon as the log says so durably. */
  void forget(ExperimentId experiment) {
    frame.forget(experiment.value());
    hide(experiment);
  }

  /** What was forgotten is gone. */
  void deleted(Deletion.Begun history) {
    forgotten.deleted(history.experiment(), history.upto());
  }

  /** The segment from which on chunks of an experiment count; any thread may ask. */
  long historyFrom(ExperimentId experiment) {
    return forgotten.before(experiment);
  }

  /** How many experiments are being deleted; any thread may ask. */
  int deletions() {
    return forgotten.count();
  }

  /** Makes the frame durable; the offset behind it. */
  long sync() throws IOException {
    if (frame.size() > Frames.HEADER) {
      long end = durable + frame.size();
      Frames.seal(frame.array(), frame.size(), durable);
      segments.append(frame.array(), frame.size(), durable);
      durable = end;
      Objects.requireNonNull(durableEnd).advance(frame.array(), end);
      if (frame.size() > LARGE_FRAME) {
        frame = new Encoder(FRAME);
      }
      frame.reset(Frames.HEADER);
      deleteForgotten();
    }
    return durable;
  }

  /**
   * After a sync that failed: writes the same frame again, in the place where it should have been.
   * What stands there now is not known, and asking the file again would not tell; so it is cut off
   * first, whereby its pages are given up and written anew.
   */
  long syncAgain() throws IOException {
    segments.reopen(tail.segment(), durable - tail.segment());
    return sync();
  }

  /** Between two groups: begins a new segment when this one is full, and drops idle attempts. */
  void tidy() throws IOException {
    boolean full = tail.size() >= segmentBytes;
    if (full) {
      segments.begin(durable);
      Objects.requireNonNull(durableEnd).begun(durable);
      close(durable);
      tail = new ActiveSegment(durable);
    }
    letGoOfMoved();
    if (full || attempts.crowded()) {
      attempts.trim(mover.moved());
    }
  }

  void close() throws IOException {
    segments.close();
  }

  private void takeBlock(AttemptState state, List<MetricPoint> points, int from, int to) {
    int fresh = 0;
    int at = 0;
    for (int i = from; i < to; i++) {
      MetricPoint point = points.get(i);
      if (!state.claim(point, tail.segment())) {
        repeated.set(i);
        continue;
      }
      if (fresh++ == 0) {
        at = frame.beginBlock(state.attempt());
      }
      frame.point(point);
    }
    if (fresh > 0) {
      frame.endBlock(at, fresh);
      tail.add(state, frame.array(), Encoder.pointsOf(at), frame.size());
    }
  }

  private void hide(ExperimentId experiment) {
    era.incrementAndGet();
    forgotten.hide(experiment, tail.segment());
    toDelete.add(new Deletion.Begun(experiment, tail.segment()));
    attempts.forget(experiment);
    closed.forEach(part -> part.forget(experiment));
    tail.forget(experiment);
  }

  private void deleteForgotten() {
    for (Deletion.Begun history : toDelete) {
      mover.work(
          chunks.deletion(history.experiment(), history.upto()), () -> deleted.accept(history));
    }
    toDelete.clear();
  }

  private void letGoOfMoved() {
    while (!closed.isEmpty() && closed.getFirst().segment() < mover.moved()) {
      closed.removeFirst();
      Objects.requireNonNull(durableEnd).moved(mover.moved());
    }
  }

  /** Hands the tail to the mover; its segment ends at an offset. */
  private void close(long end) {
    deleteForgotten();
    closed.add(tail);
    chunked.add(tail.experiments());
    mover.move(tail.segment(), tail.chunks(), end);
  }

  /** Takes in what was read of the tail's segment; the offset behind its last whole frame. */
  private long replay(DurableEnd.Content content) throws TimeoutException {
    loadAll(content.bodies());
    for (byte[] body : content.bodies()) {
      replay(body);
    }
    return content.end();
  }

  /** The attempts of a whole segment at once: asked for one by one they are most of a start. */
  private void loadAll(List<byte[]> bodies) throws TimeoutException {
    Set<AttemptRef> missing = new LinkedHashSet<>();
    for (byte[] body : bodies) {
      for (FrameEntry entry : FrameEntry.in(body)) {
        if (entry instanceof FrameEntry.Block(AttemptRef attempt, int _, int _)
            && !attempts.has(attempt)) {
          missing.add(attempt);
        }
      }
    }
    if (!missing.isEmpty()) {
      attempts.load(missing);
    }
  }

  private void replay(byte[] body) throws TimeoutException {
    for (FrameEntry entry : FrameEntry.in(body)) {
      switch (entry) {
        case FrameEntry.Block(AttemptRef attempt, int from, int to) -> {
          AttemptState state = attempts.get(attempt);
          tail.add(state, body, from, to);
          Decoder points = new Decoder(body, from, to);
          while (points.hasMore()) {
            state.replay(points.point(attempt), tail.segment());
          }
        }
        case FrameEntry.Forget(ExperimentId experiment) -> hide(experiment);
      }
    }
  }
}
