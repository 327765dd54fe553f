package io.orrery.gateway.live;

import io.orrery.core.time.Clock;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The updates about one thing, for any number of listeners. The first piece of news goes out at
 * once, what follows is gathered and goes out ten times a second. An update is encoded once, into
 * the ring; every listener takes it from there.
 */
public final class Feed {
  private static final Duration PACE = Duration.ofMillis(100);

  private final Clock clock;
  private final LiveNumbers numbers;
  private final News news;
  private final Ring ring;
  private final Set<Listener> listeners = new LinkedHashSet<>();
  private Clock.@Nullable Timer pause;
  private boolean waiting;

  Feed(Clock clock, LiveNumbers numbers, News news) {
    this.clock = clock;
    this.numbers = numbers;
    this.news = news;
    // A number of its own: an id from before this feed was opened is below it.
    this.ring = new Ring(numbers.next());
  }

  /** There is something in the news. */
  public void changed() {
    waiting = true;
    if (pause == null) {
      // What one commit changed comes as several messages, in one go: they make one update.
      pause = clock.after(Duration.ZERO, this::update);
    }
  }

  private void update() {
    if (!waiting) {
      pause = null;
      return;
    }
    waiting = false;
    pause = clock.after(PACE, this::update);
    for (Event event : news.take()) {
      long number = numbers.next();
      ring.add(number, event.encoded(numbers.id(number)));
    }
    Set.copyOf(listeners).forEach(Listener::pump);
    if (news.over()) {
      close();
    }
  }

  void join(Listener listener) {
    listeners.add(listener);
  }

  void leave(Listener listener) {
    listeners.remove(listener);
  }

  /** Whether no client listens. */
  public boolean idle() {
    return listeners.isEmpty();
  }

  /** Says good-bye to all. */
  public void close() {
    if (pause != null) {
      pause.cancel();
      pause = null;
    }
    Set.copyOf(listeners).forEach(Listener::end);
  }

  /** The number of the last event that has gone out. */
  long newest() {
    return ring.newest();
  }

  boolean reachesBackTo(long number) {
    return ring.reachesBackTo(number);
  }

  Map.@Nullable Entry<Long, Buffer> after(long number) {
    return ring.after(number);
  }

  /** What a newcomer is told, which brings it to {@link #newest}. */
  Buffer greeting() {
    Buffer all = Buffer.buffer();
    String id = numbers.id(newest());
    news.greeting().forEach(event -> all.appendBuffer(event.encoded(id)));
    return all;
  }

  /** The id by itself: the client remembers it and nothing else happens there. */
  Buffer mark() {
    return Buffer.buffer("id: " + numbers.id(newest()) + "\n\n");
  }

  /** The same for a client that has missed something for good. */
  Buffer reset() {
    return Event.RESET.encoded(numbers.id(newest())).appendBuffer(greeting());
  }
}
