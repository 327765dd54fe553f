package io.orrery.gateway.metric;

import io.orrery.core.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The streams that are open, each of which is looked at once a second: a tenth of them at a time,
 * because to tell thousands something takes longer than a turn of an event loop may. Belongs to
 * one.
 */
final class OpenStreams {
  private static final int PARTS = 10;
  private static final Duration PAUSE = Duration.ofSeconds(1).dividedBy(PARTS);

  /** Of fewer each may be read as soon as something comes: viewers see it sooner. */
  private static final int MANY = 100;

  private final Clock clock;
  private final List<Set<MetricStream>> parts =
      IntStream.range(0, PARTS).<Set<MetricStream>>mapToObj(part -> new HashSet<>()).toList();
  private int size;
  private int turn;
  private boolean looking;

  OpenStreams(Clock clock) {
    this.clock = clock;
  }

  int size() {
    return size;
  }

  void add(MetricStream stream) {
    if (part(stream).add(stream)) {
      size++;
    }
    if (!looking) {
      looking = true;
      clock.after(PAUSE, this::look);
    }
  }

  void remove(MetricStream stream) {
    if (part(stream).remove(stream)) {
      size--;
    }
  }

  /** All of them, which may leave meanwhile. */
  List<MetricStream> all() {
    return parts.stream().flatMap(Set::stream).toList();
  }

  private Set<MetricStream> part(MetricStream stream) {
    return parts.get(Math.floorMod(stream.hashCode(), PARTS));
  }

  private void look() {
    looking = size > 0;
    if (looking) {
      clock.after(PAUSE, this::look);
    }
    turn = (turn + 1) % PARTS;
    boolean many = size >= MANY;
    // Who is told may turn out to have gone.
    List.copyOf(parts.get(turn)).forEach(stream -> stream.look(many));
  }
}
