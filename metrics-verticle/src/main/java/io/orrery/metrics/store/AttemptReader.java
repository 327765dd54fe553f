package io.orrery.metrics.store;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.id.AttemptRef;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.nio.BufferUnderflowException;
import java.util.function.Consumer;

/**
 * Reads on in what an attempt has reported: chunks one by one, then what is in memory. Holds one
 * chunk at a time, and decodes nothing that lies before the place where the page begins.
 *
 * <p>A rollup stands for chunks that are no more. Its end is the place where the last of them
 * ended, so that who had read these goes on behind it; there is no way into its middle.
 */
final class AttemptReader {
  private final ChunkTable chunks;
  private final WorkerExecutor workers;
  private final AttemptRef attempt;
  private final Journal.Unmoved unmoved;
  private final int most;
  private final Consumer<Decoder> taker;
  private int taken;
  private ReadPosition place;

  /**
   * @param unmoved what of this attempt is in memory
   * @param most it ends at the first block behind this many points
   * @param taker called for each point, on a worker
   */
  AttemptReader(
      ChunkTable chunks,
      WorkerExecutor workers,
      AttemptRef attempt,
      Journal.Unmoved unmoved,
      ReadPosition from,
      int most,
      Consumer<Decoder> taker) {
    this.chunks = chunks;
    this.workers = workers;
    this.attempt = attempt;
    this.unmoved = unmoved;
    this.place = from;
    this.most = most;
    this.taker = taker;
  }

  /**
   * Reads.
   *
   * @return where to go on; Refused when it was to begin where no block does
   */
  Future<ReadPosition> read() {
    return fromChunks()
        .compose(read -> workers.executeBlocking(this::fromMemory, false))
        .recover(failure ->
            failure instanceof BufferUnderflowException
                    || failure instanceof IllegalArgumentException
                    || failure instanceof IndexOutOfBoundsException
                ? Future.failedFuture(ReadPosition.unknown().toException())
                : Future.failedFuture(failure));
  }

  private Future<Void> fromChunks() {
    return AsyncLoop.repeat(this::nextChunk);
  }

  /** Completes with whether the next chunk may follow. */
  private Future<Boolean> nextChunk() {
    long from = Math.max(place.segment(), unmoved.from());
    if (taken >= most || from >= unmoved.before()) {
      return Future.succeededFuture(false);
    }
    return chunks
        .next(attempt, from, unmoved.before())
        .compose(found ->
            found.isEmpty()
                ? Future.succeededFuture(false)
                : workers
                    .executeBlocking(() -> take(found.orElseThrow()), false)
                    .onSuccess(through -> {
                      if (through) {
                        // The next one begins behind the first byte of this one.
                        place = new ReadPosition(attempt.number(), place.segment() + 1, 0);
                      }
                    }));
  }

  private ReadPosition fromMemory() {
    for (ActiveSegment.Slice slice : unmoved.slices()) {
      if (taken < most && slice.segment() >= place.segment()) {
        take(slice);
      }
    }
    return place;
  }

  private boolean take(ChunkTable.Stored chunk) {
    return chunk.ended() == 0 ? take(chunk.slice()) : takeRollup(chunk.slice(), chunk.ended());
  }

  private boolean takeRollup(ActiveSegment.Slice slice, int ended) {
    boolean read = slice.segment() == place.segment() && place.offset() >= ended;
    if (!read && !place.isBeginning()) {
      throw ReadPosition.thinnedOut().toException();
    }
    if (!read) {
      Decoder in = new Decoder(slice.bytes(), 0, slice.length());
      while (in.hasMore()) {
        take(in);
      }
    }
    place = new ReadPosition(attempt.number(), slice.segment(), ended);
    return true;
  }

  /** Reads on in a slice; false when the page was full before its end. */
  private boolean take(ActiveSegment.Slice slice) {
    int from = slice.segment() == place.segment() ? place.offset() : 0;
    Decoder in = new Decoder(slice.bytes(), from, slice.length());
    if (in.hasMore() && !in.atBlock()) {
      throw new IllegalArgumentException("no block begins at " + place);
    }
    while (in.hasMore() && (taken < most || !in.atBlock())) {
      take(in);
    }
    place = new ReadPosition(attempt.number(), slice.segment(), in.position());
    return !in.hasMore();
  }

  private void take(Decoder in) {
    in.next();
    taker.accept(in);
    taken++;
  }
}
