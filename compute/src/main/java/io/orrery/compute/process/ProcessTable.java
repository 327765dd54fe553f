package io.orrery.compute.process;

import io.orrery.compute.process.Processes.Found;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table of the machine's processes, listed once for all callers that ask at the same time. An
 * answer must not be older than its question, or a process that was forked in between would be
 * missed; so a caller that asks while a listing is under way waits for the next one, with all
 * others that do. A thousand programs that end at once hence cost two listings and not a thousand.
 * Thread safe.
 */
public final class ProcessTable {
  private final Source source;
  private final AtomicLong questions = new AtomicLong();
  private final ReentrantLock turn = new ReentrantLock();
  private long answered;
  private @Nullable Listing last;
  private @Nullable Listing recent;
  private Instant recentAt = Instant.EPOCH;

  /**
   * @param source lists all processes that live now
   */
  public ProcessTable(Source source) {
    this.source = source;
  }

  /** The source of a listing. */
  @FunctionalInterface
  public interface Source {
    List<Found> all() throws IOException;
  }

  /** All processes that have lived since before this call, and perhaps some younger ones. */
  public Listing take() throws IOException {
    long question = questions.incrementAndGet();
    turn.lock();
    try {
      if (answered < question) {
        long newest = questions.get();
        last = Listing.of(source.all());
        answered = newest;
      }
      return Objects.requireNonNull(last);
    } finally {
      turn.unlock();
    }
  }

  /**
   * The same, from up to so long ago, for those who ask again anyway: a thousand programs that
   * start at once would have all processes listed without a pause otherwise.
   *
   * @param age that an answer is younger than; a clock that was set back makes it too old
   */
  public Listing recent(Instant now, Duration age) throws IOException {
    turn.lock();
    try {
      Duration since = Duration.between(recentAt, now);
      if (recent == null || since.isNegative() || since.compareTo(age) >= 0) {
        recent = take();
        recentAt = now;
      }
      return recent;
    } finally {
      turn.unlock();
    }
  }

  /** The processes of one moment, to be looked up in constant time. */
  public static final class Listing {
    private final List<Found> all;
    private final Map<String, List<Found>> byMark;
    private final Map<Long, List<Found>> bySession;

    private Listing(
        List<Found> all, Map<String, List<Found>> byMark, Map<Long, List<Found>> bySession) {
      this.all = all;
      this.byMark = byMark;
      this.bySession = bySession;
    }

    private static Listing of(List<Found> all) {
      Map<String, List<Found>> byMark = new HashMap<>();
      for (Found found : all) {
        String mark = found.mark();
        if (mark != null) {
          byMark.computeIfAbsent(mark, first -> new ArrayList<>()).add(found);
        }
      }
      return new Listing(
          List.copyOf(all), byMark, all.stream().collect(Collectors.groupingBy(Found::session)));
    }

    public List<Found> all() {
      return all;
    }

    /** Those that carry a mark, wherever they went. */
    public List<Found> marked(String mark) {
      return byMark.getOrDefault(mark, List.of());
    }

    public List<Found> session(long number) {
      return bySession.getOrDefault(number, List.of());
    }

    /**
     * The processes of a program: those that descend from a process, and those that carry a mark.
     * In a sandbox none can do without both.
     */
    public Collection<Found> program(String mark, long root) {
      Map<Long, Found> program = new LinkedHashMap<>();
      marked(mark).forEach(found -> program.put(found.pid(), found));
      Map<Long, List<Found>> byParent = all.stream().collect(Collectors.groupingBy(Found::parent));
      Deque<Long> parents = new ArrayDeque<>(List.of(root));
      parents.addAll(program.keySet());
      Set<Long> asked = new HashSet<>();
      while (!parents.isEmpty()) {
        long parent = parents.remove();
        if (asked.add(parent)) {
          for (Found child : byParent.getOrDefault(parent, List.of())) {
            program.put(child.pid(), child);
            parents.add(child.pid());
          }
        }
      }
      return program.values();
    }
  }
}
