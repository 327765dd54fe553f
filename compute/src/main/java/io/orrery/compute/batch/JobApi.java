package io.orrery.compute.batch;

import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.StepSetup;
import io.orrery.compute.service.Submission;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.id.AttemptRef;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one service as one experiment makes them. Every call blocks, and fails with Busy
 * when trying again may help, also because the account's rights may be given back, and with Refused
 * when it never will ({@link Refusal}).
 */
public interface JobApi {
  /** Equal for experiments whose jobs can be looked at in one call. */
  Object account();

  /** The service as people know it, with its address: {@code OpenPAI at https://…}. */
  String service();

  /** The service's address. */
  String url();

  /** The kinds of container in a job; the first one speaks for the attempt. */
  List<Part> parts();

  /** The name of an attempt's job; no two attempts have the same name. */
  default String name(AttemptRef attempt) {
    return BatchName.of(attempt);
  }

  /** Makes ready what all jobs of the experiment share; does nothing the second time. */
  default void prepare() {}

  /**
   * Asks for a job.
   *
   * @return the service's own name of it
   * @throws io.orrery.core.problem.ProblemException Conflict when it has one of this name
   */
  String submit(Order order);

  /**
   * Looks at jobs by their names, in as few calls as the service allows. A service that takes a
   * name twice may have several jobs of one: a request whose sender was paused meanwhile may arrive
   * at any time.
   *
   * @return without names that the service says it does not have
   */
  Map<String, List<JobView>> look(Collection<JobRef> jobs);

  /** Ends a job; nothing happens when it is over, or not there. */
  void stop(JobRef job);

  /** The page that shows a job to people; null when the service has none. */
  @Nullable String page(JobRef job);

  /** The place of an attempt's files besides the server, for people; null for none. */
  default @Nullable String outputs(AttemptRef attempt) {
    return null;
  }

  /**
   * Looks whether jobs could run, one thing after the other; changes nothing.
   *
   * @param concurrency how many there may be at once
   */
  List<Item> check(int concurrency);

  /**
   * A group of containers of a job that are alike.
   *
   * @param name the service's name of it
   * @param role what its keepers run
   */
  record Part(String name, Keepers.Role role) {}

  /**
   * A job that is asked for.
   *
   * @param launches how to start the keepers, by the names of parts
   * @param hidden the names of variables of the launches that are not shown to other users of the
   *     service where it can hide any
   */
  record Order(
      AttemptRef attempt, String name, Map<String, Keepers.Launch> launches, Set<String> hidden) {
    public Order {
      launches = Map.copyOf(launches);
      hidden = Set.copyOf(hidden);
    }

    /** Hides the variables of a step, of which any may be a secret. */
    static Order of(Submission submission, String name, Map<String, Keepers.Launch> launches) {
      StepSetup step = submission.step();
      return new Order(
          submission.attempt(),
          name,
          launches,
          step == null ? Set.of() : step.environment().keySet());
    }

    /** How to start the keepers of a part. */
    public Keepers.Launch launch(Part part) {
      return Objects.requireNonNull(launches.get(part.name()), part.name());
    }
  }

  /**
   * A job as the service knows it.
   *
   * @param id the service's own name; null while that is unknown
   */
  record JobRef(String name, @Nullable String id) {}
}
