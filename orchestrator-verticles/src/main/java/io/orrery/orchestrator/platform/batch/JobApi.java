package io.orrery.orchestrator.platform.batch;

import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.platform.Keepers;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One service as one experiment uses it: its calls, its documents, its words. Everything here that
 * asks the service blocks, fails with Busy when trying again may help, with Unauthorized or
 * Forbidden when the account may not, and with Refused when it never will.
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

  /** What the job of an attempt is called; no two attempts have the same name. */
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
   * How jobs are, in as few calls as the service allows; by their names. Where the service minds no
   * name that comes twice there may be several of one: a request that somebody made and nobody
   * waited for, because his server stood still meanwhile, may come through at any time.
   *
   * @return without names that the service says it does not have
   */
  Map<String, List<JobView>> look(Collection<JobRef> jobs);

  /** Ends a job; nothing happens when it is over, or not there. */
  void stop(JobRef job);

  /** Where people see a job; null when the service shows none. */
  @Nullable String page(JobRef job);

  /** Where an attempt leaves its files besides the server, for people; null for nowhere. */
  default @Nullable String outputs(AttemptRef attempt) {
    return null;
  }

  /** Looks whether jobs could run, one thing after the other; changes nothing. */
  List<Item> check();

  /**
   * @param name the service's name of it
   * @param role what its keepers run
   */
  record Part(String name, Keepers.Role role) {}

  /**
   * A job that is asked for.
   *
   * @param launches how to start the keepers, by the names of parts
   */
  record Order(AttemptRef attempt, String name, Map<String, Keepers.Launch> launches) {
    public Order {
      launches = Map.copyOf(launches);
    }

    /** How to start the keepers of a part. */
    public Keepers.Launch launch(Part part) {
      return Objects.requireNonNull(launches.get(part.name()), part.name());
    }
  }

  /**
   * @param id the service's own name; null while nobody has told it
   */
  record JobRef(String name, @Nullable String id) {}
}
