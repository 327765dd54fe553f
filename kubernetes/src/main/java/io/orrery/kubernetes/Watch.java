package io.orrery.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch of all our objects of one type, kept up to date by a single stream of changes. They are
 * listed once; from the version of the list on, the API server tells each change. A stream that
 * ends or breaks goes on from the version that was told last; where the server does not remember
 * that one any more, everything is listed again, and what went meanwhile is told.
 *
 * <p>Each object is cut down to the fields that are read as it arrives: whole it is some twenty
 * kilobytes, of which a digest keeps a hundred bytes.
 *
 * @param <T> the digest; equal digests are no news
 */
public final class Watch<T> implements AutoCloseable {
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /** The server has forgotten the version from which it was to go on. */
  private static final int EXPIRED = 410;

  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  private final Cluster.Selection objects;
  private final Function<Metadata, String> group;
  private final BiFunction<Metadata, JsonNode, T> digest;
  private final Consumer<String> changed;
  private final Map<String, Map<String, T>> digests = new ConcurrentHashMap<>();
  private final Thread thread = Thread.ofVirtual().name("watch").unstarted(this::keep);

  /** Up to which everything is known; null when it must be listed. */
  private volatile @Nullable String version;

  /** Why news do not come in; null while they do. */
  private volatile @Nullable String trouble;

  private volatile boolean live;
  private volatile boolean closed;
  private Duration pause = SHORTEST;

  private Watch(
      Cluster.Selection objects,
      Function<Metadata, String> group,
      BiFunction<Metadata, JsonNode, T> digest,
      Consumer<String> changed) {
    this.objects = objects;
    this.group = group;
    this.digest = digest;
    this.changed = changed;
  }

  /**
   * Lists, and goes on from there; blocks until the first list is in.
   *
   * @param digest of an object's metadata and its status, which is missing or null while it is new
   * @param group gives the name of the job that an object belongs to
   * @param changed told the name of a job of which something changed; must not block
   * @throws ProblemException when it cannot be listed
   */
  public static <T> Watch<T> begin(
      Cluster.Selection objects,
      Function<Metadata, String> group,
      BiFunction<Metadata, JsonNode, T> digest,
      Consumer<String> changed) {
    Watch<T> watch = new Watch<>(objects, group, digest, changed);
    watch.list();
    watch.live = true;
    watch.thread.start();
    return watch;
  }

  /** The objects of a job, by name. */
  public Map<String, T> of(String job) {
    return Map.copyOf(digests.getOrDefault(job, Map.of()));
  }

  /** Whether news come in. */
  public boolean isLive() {
    return live;
  }

  /** Why news do not come in, in words; null while they do. */
  public @Nullable String trouble() {
    return trouble;
  }

  @Override
  public void close() {
    closed = true;
    live = false;
    thread.interrupt();
  }

  // ---- the stream ----------------------------------------------------------------------------

  private void keep() {
    try {
      while (!closed) {
        follow();
        Thread.sleep(pause);
      }
    } catch (InterruptedException closing) {
      LOG.trace("the watch is closed");
    }
  }

  private void follow() throws InterruptedException {
    try {
      String known = version;
      if (known == null) {
        known = list();
      }
      objects.follow(known, this::opened, this::told);
    } catch (RefusedException e) {
      refused(e.failure());
    } catch (ProblemException e) {
      lost(e.problem());
    } catch (RuntimeException e) {
      LOG.warn("could not parse an event of the watch of {}", objects.what(), e);
      lost(new Problem.Busy("what it tells cannot be read", LONGEST));
    }
  }

  /** From here on nothing is missed. */
  private void opened() {
    live = true;
    trouble = null;
    pause = SHORTEST;
  }

  private void refused(ApiFailure failure) {
    if (failure.code() == EXPIRED) {
      version = null;
      later(Duration.ZERO);
    } else {
      lost(failure.problem("watch"));
      later(failure.asked());
    }
  }

  private void lost(Problem problem) {
    if (live && !closed) {
      LOG.info(
          "could not keep the watch of {}, starting it again: {}",
          objects.what(),
          problem.detail());
    }
    live = false;
    trouble = problem.detail();
    later(Duration.ZERO);
  }

  /** Doubles the pause after each failure, and waits at least as long as the server asks for. */
  private void later(Duration asked) {
    Duration longer = pause.multipliedBy(2);
    pause = longer.compareTo(LONGEST) < 0 ? longer : LONGEST;
    pause = pause.compareTo(asked) < 0 ? asked : pause;
  }

  // ---- what it tells -------------------------------------------------------------------------

  private String list() {
    Set<String> present = new HashSet<>();
    String upTo =
        objects.list(object -> {
          present.add(object.metadata().name());
          put(object);
        });
    digests.forEach((job, all) -> {
      if (all.keySet().retainAll(present)) {
        dropIfEmpty(job);
        changed.accept(job);
      }
    });
    version = upTo;
    return upTo;
  }

  private void told(JsonScanner lines) {
    while (lines.hasMore()) {
      told(Change.of(lines));
    }
  }

  private void told(Change change) {
    switch (change) {
      case Change.Present(WatchedObject object) -> {
        put(object);
        knownUpTo(object.metadata().version());
      }
      case Change.Gone(Metadata object) -> {
        remove(object);
        knownUpTo(object.version());
      }
      case Change.Bookmark(String upTo) -> knownUpTo(upTo);
      case Change.Refused(ApiFailure failure) -> throw new RefusedException(failure);
    }
  }

  private void knownUpTo(@Nullable String upTo) {
    if (upTo != null) {
      version = upTo;
    }
  }

  private void put(WatchedObject object) {
    Metadata metadata = object.metadata();
    String job = group.apply(metadata);
    T fresh = digest.apply(metadata, object.status());
    T before =
        digests
            .computeIfAbsent(job, name -> new ConcurrentHashMap<>(2))
            .put(metadata.name(), fresh);
    if (!fresh.equals(before)) {
      changed.accept(job);
    }
  }

  private void remove(Metadata object) {
    String job = group.apply(object);
    Map<String, T> all = digests.get(job);
    if (all != null && all.remove(object.name()) != null) {
      dropIfEmpty(job);
    }
    changed.accept(job);
  }

  private void dropIfEmpty(String job) {
    digests.computeIfPresent(job, (name, all) -> all.isEmpty() ? null : all);
  }
}
