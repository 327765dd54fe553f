package io.orrery.compute.storage;

import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.compute.attempt.AttemptRecords;
import io.orrery.core.experiment.SharedStorageSpec.Blob;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts what attempts have left into their containers, after their end and in the background. A note
 * of each attempt lies on the disk until it is done, so that a restart goes on. Azure being away
 * holds up no attempt: it is tried again, ever less often.
 */
public final class Deliveries implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);
  private static final String FOLDER = "shared";
  private static final String NOTE = "";
  private static final Pattern NAME = Pattern.compile("(.+)\\.([1-9]\\d{0,8})\\.json");
  private static final int AT_ONCE = 4;
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final Path home;
  private final SharedStorage storage;
  private final AttemptRecords notes;
  private final Set<AttemptRef> underWay = ConcurrentHashMap.newKeySet();
  private final Semaphore turns = new Semaphore(AT_ONCE);
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("shared-storage-", 0).factory());

  public Deliveries(Path home, SharedStorage storage) {
    this.home = home;
    this.storage = storage;
    this.notes = new AttemptRecords(home, FOLDER);
  }

  /**
   * An attempt is about to start whose outputs go into a container. On the disk when it returns.
   */
  public void expect(AttemptRef attempt, Blob blob) throws IOException {
    notes.write(attempt, NOTE, blob);
  }

  /** An attempt has left all that it will; nothing happens when that is not expected. */
  public void ended(AttemptRef attempt) {
    if (underWay.add(attempt)) {
      try {
        threads.execute(() -> bring(attempt));
      } catch (RejectedExecutionException closing) {
        LOG.trace("{} is delivered after the next start", attempt);
      }
    }
  }

  private void bring(AttemptRef attempt) {
    Duration pause = Duration.ofSeconds(1);
    try {
      while (!isBrought(attempt)) {
        Thread.sleep(pause);
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
                ? pause.multipliedBy(2)
                : LONGEST_PAUSE;
      }
    } catch (InterruptedException closing) {
      LOG.trace("{} is delivered after the next start", attempt);
    } finally {
      underWay.remove(attempt);
    }
  }

  /** Whether nothing is left to do, or nothing can be done; false when it may be tried again. */
  private boolean isBrought(AttemptRef attempt) throws InterruptedException {
    turns.acquire();
    try {
      Blob blob = notes.read(attempt, NOTE, Blob.class);
      if (blob != null) {
        storage.deliver(attempt, blob, AttemptLayout.attempt(home, attempt));
        notes.delete(attempt, NOTE);
      }
      return true;
    } catch (ProblemException e) {
      LOG.warn(
          "could not upload the outputs of {} to shared storage: {}",
          attempt,
          e.problem().detail());
      return !(e.problem() instanceof Problem.Busy);
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("could not upload the outputs of {} to shared storage", attempt, e);
      return true;
    } finally {
      turns.release();
    }
  }

  /**
   * Goes on with what an earlier server has not done. Blocks.
   *
   * @param over whether an attempt has ended
   */
  public void resume(Predicate<AttemptRef> over) throws IOException {
    Path experiments = home.resolve("experiments");
    if (!Files.isDirectory(experiments)) {
      return;
    }
    for (Path experiment : children(experiments)) {
      String id = String.valueOf(experiment.getFileName());
      if (ExperimentId.valid(id)) {
        resume(new ExperimentId(id), over);
      }
    }
  }

  /** The same for one experiment. */
  public void resume(ExperimentId experiment, Predicate<AttemptRef> over) throws IOException {
    Path folder = AttemptLayout.experiment(home, experiment).resolve(FOLDER);
    if (!Files.isDirectory(folder)) {
      return;
    }
    for (Path note : children(folder)) {
      Matcher name = NAME.matcher(String.valueOf(note.getFileName()));
      if (name.matches() && TrialId.valid(name.group(1))) {
        AttemptRef attempt =
            new AttemptRef(
                new TrialRef(experiment, new TrialId(name.group(1))),
                Integer.parseInt(name.group(2)));
        if (over.test(attempt)) {
          ended(attempt);
        }
      }
    }
  }

  private static List<Path> children(Path directory) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children.toList();
    }
  }

  /** Stops; what is under way is done after the next start. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
