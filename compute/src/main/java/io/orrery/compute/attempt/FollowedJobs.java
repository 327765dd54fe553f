package io.orrery.compute.attempt;

import static io.orrery.compute.attempt.Background.await;

import io.orrery.compute.attempt.FollowedJob.Collaborators;
import io.orrery.compute.service.Keepers;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts of one platform that are jobs elsewhere, while this server follows them: each once,
 * from before its job is asked for until its end is told. Safe for use by several threads; what
 * blocks says so.
 *
 * @param <A> what follows one of them
 */
public final class FollowedJobs<A extends FollowedJob> implements FollowedJob.Roster {
  private static final Logger LOG = LoggerFactory.getLogger(FollowedJobs.class);

  /** A job that has not been taken by then will not be. */
  private static final long LAUNCH_SECONDS = 600;

  private final Collaborators collaborators;
  private final Consumer<A> came;
  private final Consumer<A> left;
  private final Map<AttemptRef, A> followed = new ConcurrentHashMap<>();

  /** A query for the state of an attempt that is not followed. */
  @FunctionalInterface
  public interface Search<A> {
    /** Follows it again; null when it is over, or now will never start. Blocks. */
    @Nullable A find(AttemptRef attempt) throws Exception;
  }

  /**
   * @param came is told of each that is followed from now on, before its keepers are heard
   * @param left is told of each that is followed no more
   */
  public FollowedJobs(Collaborators collaborators, Consumer<A> came, Consumer<A> left) {
    this.collaborators = collaborators;
    this.came = came;
    this.left = left;
  }

  /** Whether one is followed here. */
  public boolean has(AttemptRef attempt) {
    return followed.containsKey(attempt);
  }

  /** All that are followed at the moment; changes with them. */
  public Collection<A> all() {
    return Collections.unmodifiableCollection(followed.values());
  }

  /**
   * Follows one that is new, and has its job asked for. Where the same attempt is followed already,
   * waits for that one's job instead. Blocks, and fails as the launch does: then it is followed no
   * more.
   *
   * @param isNew whether its files have a place only now, as {@link Keepers#place} tells
   */
  public void begin(A fresh, boolean isNew, Background.Step launch) throws Exception {
    A present = followed.putIfAbsent(fresh.ref(), fresh);
    if (present != null) {
      await(present.launched());
      return;
    }
    came.accept(fresh);
    try {
      fresh.follow(isNew);
      launch.run();
    } catch (Exception e) {
      fresh.failed(e);
      throw e;
    }
  }

  /**
   * Follows one whose job is there.
   *
   * @param seen what is to be done with it when it was not followed already
   * @return who follows it
   */
  public A takeUp(A fresh, Background.Step seen) throws Exception {
    A present = followed.putIfAbsent(fresh.ref(), fresh);
    if (present != null) {
      return present;
    }
    came.accept(fresh);
    fresh.follow(false);
    seen.run();
    return fresh;
  }

  /**
   * Ends an attempt on request. Blocks until that is told; at once when it is over.
   *
   * @param unknown for one that is not followed
   * @param unlaunched for one whose job could not be asked for
   */
  public void cancel(AttemptRef ref, Search<A> unknown, Search<A> unlaunched) throws Exception {
    collaborators.keepers().mustAct(ref.trial().experiment());
    A present = followed.get(ref);
    if (present == null && collaborators.files().ended(ref) == null) {
      present = unknown.find(ref);
    }
    if (present == null) {
      return;
    }
    try {
      present.launched().get(LAUNCH_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      LOG.debug("{} never came to run", ref, e);
      present = unlaunched.find(ref);
      if (present == null) {
        return;
      }
    }
    present.cancel();
    await(present.over());
  }

  /**
   * Sees to it that an attempt without a job never has one. Blocks until that is durable.
   *
   * @return null, as a {@link Search} does that has found nothing
   */
  public @Nullable A neverStarts(AttemptRef ref) throws Exception {
    await(collaborators.keepers().cancel(ref));
    collaborators
        .files()
        .ended(
            ref,
            new JobFiles.End(
                false, null, collaborators.clock().now(), "canceled before it started"));
    return null;
  }

  /**
   * Ends the following of an experiment that another server owns now: its jobs go on, and nothing
   * is told of them here.
   */
  public void abandon(ExperimentId experiment) {
    for (A each : followed.values()) {
      if (each.ref().trial().experiment().equals(experiment)) {
        each.abandon();
      }
    }
  }

  /** Their keepers are not heard any more. */
  public void forget() {
    followed.keySet().forEach(collaborators.keepers()::forget);
  }

  @Override
  public void left(FollowedJob gone) {
    A known = followed.get(gone.ref());
    if (known != null && known.equals(gone) && followed.remove(gone.ref(), known)) {
      left.accept(known);
    }
  }
}
