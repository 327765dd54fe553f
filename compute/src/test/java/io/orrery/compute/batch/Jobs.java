package io.orrery.compute.batch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a stand-in whose service runs one container for each, and how they are. The words for
 * states are the service's own.
 */
public final class Jobs {
  /** The names that the service has for its states. */
  public record Words(
      String waiting,
      String running,
      String stopping,
      String succeeded,
      String failed,
      String stopped) {}

  /** A job. */
  public static final class Job {
    public final String id;
    public final String name;
    public final ObjectNode document;
    public String state;
    public boolean over;

    /** The mark of its containers' processes. */
    private final String place;

    private Job(String id, String name, String place, ObjectNode document, String state) {
      this.id = id;
      this.name = name;
      this.place = place;
      this.document = document;
      this.state = state;
    }
  }

  private final Machines machines;
  private final Words words;
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private boolean full;

  public Jobs(Machines machines, Words words) {
    this.machines = machines;
    this.words = words;
  }

  /** Whether jobs that come from now on wait, until they are stopped. */
  public synchronized void full(boolean is) {
    full = is;
  }

  /** Takes a job, and runs it at once while there is room. */
  public synchronized Job run(
      String id,
      String name,
      ObjectNode document,
      List<String> command,
      Map<String, String> variables) {
    String place = byName(name) == null ? name : name + "." + id;
    Job job = new Job(id, name, place, document, full ? words.waiting() : words.running());
    jobs.put(id, job);
    if (!full) {
      machines.start(
          place,
          command,
          variables,
          code -> end(job, code == 0 ? words.succeeded() : words.failed()));
    }
    return job;
  }

  /** Asks a job to end; it does in a while. */
  public synchronized void stop(Job job) {
    if (!job.over) {
      job.state = words.stopping();
      Thread.ofVirtual().start(() -> end(job, words.stopped()));
    }
  }

  private void end(Job job, String state) {
    machines.end(job.place);
    synchronized (this) {
      if (!job.over) {
        job.over = true;
        job.state = job.state.equals(words.stopping()) ? words.stopped() : state;
      }
    }
  }

  public synchronized @Nullable Job byId(String id) {
    return jobs.get(id);
  }

  /** The newest of a name; null when there is none. */
  public synchronized @Nullable Job byName(String name) {
    return jobs.values().stream()
        .filter(job -> job.name.equals(name))
        .reduce((first, second) -> second)
        .orElse(null);
  }

  public synchronized Collection<Job> all() {
    return List.copyOf(jobs.values());
  }

  /** How the jobs of a name are, the oldest first. */
  public synchronized List<String> states(String name) {
    return jobs.values().stream()
        .filter(job -> job.name.equals(name))
        .map(job -> job.state)
        .toList();
  }

  /** Their names, each once. */
  public synchronized java.util.Set<String> names() {
    return jobs.values().stream().map(job -> job.name).collect(Collectors.toSet());
  }

  /** Its machine dies: its processes with it, and the service calls it failed. */
  public void lose(String name) {
    Job lost =
        withJob(
            name,
            job -> {
              job.over = true;
              return job;
            });
    machines.kill(lost.place);
    withJob(
        name,
        job -> {
          job.state = words.failed();
          return job;
        });
  }

  /** Stops it, as a user of the service does. */
  public void stop(String name) {
    Job job =
        withJob(
            name,
            found -> {
              // Before its processes go: a command that ends meanwhile has not failed.
              found.state = found.over ? found.state : words.stopping();
              return found;
            });
    end(job, words.stopped());
  }

  /** Removes it, as a user of the service does. */
  public void delete(String name) {
    stop(name);
    synchronized (this) {
      jobs.values().removeIf(job -> job.name.equals(name));
    }
  }

  private synchronized Job withJob(String name, Function<Job, Job> change) {
    Job job = byName(name);
    if (job == null) {
      throw new AssertionError("no job " + name);
    }
    return change.apply(job);
  }
}
