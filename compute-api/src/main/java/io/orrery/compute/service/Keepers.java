package io.orrery.compute.service;

import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.SharedStorageSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keeper service for platforms whose trials share no disk with the server: it packs the code,
 * and tracks the keepers, the programs that run beside the user's command there and deliver
 * reports, output and files.
 *
 * <p>A keeper is named by its role and its number within the attempt, such as {@code worker-0}. The
 * one that reports is the attempt's primary: its streams are the attempt's own.
 *
 * <p>Thread safe. Nothing blocks but {@link #check}, and on a virtual thread what looks at the
 * disk; futures complete on the context that asked.
 */
public interface Keepers {
  /**
   * What a code directory has against being shipped: not there, more files or bytes than the
   * limits. Looks at the disk, so not on an event loop.
   *
   * @param pointer where the configuration names it
   */
  List<Finding> check(String pointer, Path directory);

  /**
   * Notices about a code directory that is shipped, in full sentences: links in it that lead out.
   * Looks at the disk.
   */
  default List<String> notices(Path directory) {
    return List.of();
  }

  /** What storage that trials share has against being used. Looks at the disk. */
  List<Finding> check(SharedStorageSpec storage);

  /** How storage that trials share is; changes nothing. */
  Future<Item> look(SharedStorageSpec storage);

  /**
   * Packs a code directory, once: from then on it is what all attempts of this experiment get from
   * this directory, whatever becomes of the files. Of the owner of a run it is everything in the
   * directory of an attempt: the code and the inputs of a step.
   *
   * @return fails with Refused when it cannot be shipped
   */
  Future<Code> pack(ExperimentId experiment, Path directory);

  /**
   * Makes the place for an attempt's files on the server.
   *
   * @return whether it is new: then no caller has asked for this attempt before, or cancelled it,
   *     and no keeper of it has come
   */
  Future<Boolean> place(AttemptRef attempt);

  /**
   * Makes an attempt's files on the server, and says what its keeper of this role is started with.
   * May be repeated.
   *
   * @return fails with Refused when the command can never run
   */
  Future<Launch> launch(Submission submission, Role role);

  /** The token that opens an attempt and nothing else, as {@link Launch} has it. */
  String token(AttemptRef attempt);

  /**
   * Makes sure that an attempt's files on the server are as {@link #launch} left them: a machine
   * that lost its power may have lost them. To be called for each attempt that is adopted.
   */
  Future<Void> restore(Submission submission);

  /**
   * From now on the listener is told what the keepers of this attempt say, and at once what they
   * have said already.
   */
  void follow(AttemptRef attempt, Listener listener);

  /** The same of one whose {@link #place} is new: they have said nothing yet. */
  void followNew(AttemptRef attempt, Listener listener);

  /** Stops the delivery of events of this attempt to its listener. */
  void forget(AttemptRef attempt);

  /**
   * Is called when the end of an attempt has been reported: its listener is removed, and its
   * outputs are delivered to the storage of its experiment.
   */
  void over(AttemptRef attempt);

  /**
   * From now on the keeper of this attempt, which must be an environment, gets what these offer;
   * until {@link #forget}.
   */
  void offer(AttemptRef environment, Offers offers);

  /** There is something new for an environment, which may be told before it asks again. */
  void offered(AttemptRef environment);

  /** The keepers of an attempt that have come so far, by name. */
  Future<Map<String, State>> states(AttemptRef attempt);

  /**
   * No keeper of this attempt starts its command any more; those that run end it, deliver, and tell
   * their end.
   *
   * @return completes when this is durable, not when they have ended
   */
  Future<Void> cancel(AttemptRef attempt);

  /** Whether {@link #cancel} was called for an attempt, by this server process or one before. */
  Future<Boolean> isCanceled(AttemptRef attempt);

  /** Reads a piece of the primary's streams, as {@link TrainingService#readLog} has it. */
  Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit);

  /** Removes the files of an experiment, and its code unless another experiment has the same. */
  Future<Void> cleanUp(ExperimentId experiment);

  /**
   * Whether this server may act for an experiment, as far as it knows: not when another one looks
   * after it by now. Costs nothing; to be asked before anything that is done unasked and that
   * others feel, such as removing a job.
   */
  boolean mayAct(ExperimentId experiment);

  /** Fails with Conflict where {@link #mayAct} says no. */
  default void mustAct(ExperimentId experiment) {
    if (!mayAct(experiment)) {
      throw another(experiment);
    }
  }

  /**
   * Returns the failure for a caller that acts for an experiment which another server owns by now.
   */
  static ProblemException another(ExperimentId experiment) {
    return new Problem.Conflict("another server owns the experiment " + experiment + " now")
        .toException();
  }

  /** Where people find the files of an attempt. */
  String storageUrl(AttemptRef attempt);

  /**
   * A packed code directory.
   *
   * @param digest SHA-256 of what is packed, 64 hexadecimal digits: equal content, equal name
   * @param bytes of the package
   * @param entries how many files, directories and links are in it
   */
  record Code(String digest, long bytes, int entries) {}

  /** The keepers of a role that report metrics. */
  enum Reports {
    ALL,
    /** Only number 0. */
    FIRST,
    NONE
  }

  /**
   * A role of an attempt: its name, command and code.
   *
   * @param name such as {@code worker}: up to 31 lower-case letters, digits and dashes
   * @param command the user's, with its places for parameters
   * @param code what it runs in; null when the image has it, or a volume
   */
  record Role(String name, Reports reports, String command, @Nullable Code code) {}

  /**
   * The command that starts a keeper with Python 3.7 or newer.
   *
   * @param command program and arguments, without a shell
   * @param environment all that it needs but the token
   * @param token for the variable {@code ORRERY_TRIAL_TOKEN}; opens this attempt and nothing else
   */
  record Launch(List<String> command, Map<String, String> environment, String token) {
    /** Where the keeper finds the server. */
    public static final String URL = "ORRERY_URL";

    /**
     * Where it finds others that take the same, with spaces between. It learns of more where this
     * is set, and calls the one server where it is not.
     */
    public static final String OTHER_URLS = "ORRERY_KEEPER_OTHER_URLS";

    /** Where code lies in storage that is mounted where the keeper runs. */
    public static final String CODE_ARCHIVE = "ORRERY_CODE_ARCHIVE";

    /** The same with more variables. */
    public Launch with(Map<String, String> more) {
      Map<String, String> all = new java.util.TreeMap<>(environment);
      all.putAll(more);
      return new Launch(command, all, token);
    }

    public Launch {
      command = List.copyOf(command);
      environment = Map.copyOf(environment);
    }

    /**
     * The environment of a keeper that is told to call a host, at which the experiment's author
     * knows a server: no other is tried then.
     *
     * @param host null for the servers' own
     */
    public Map<String, String> calling(@Nullable String host) {
      Map<String, String> all = new java.util.TreeMap<>(environment);
      if (host != null) {
        all.computeIfPresent(URL, (key, url) -> Callback.url(url, host));
        all.remove(OTHER_URLS);
      }
      return all;
    }

    /** All variables in one, for platforms that have no better place for a secret. */
    public Map<String, String> environmentWithToken() {
      Map<String, String> all = new java.util.TreeMap<>(environment);
      all.put("ORRERY_TRIAL_TOKEN", token);
      return all;
    }

    @Override
    public String toString() {
      return "Launch[" + command + "]";
    }
  }

  /** Gives an environment its work. An environment asks one question after the other. */
  interface Offers {
    /**
     * What an environment is to start; it may be offered again until it runs.
     *
     * @param number of its question, which may come after a later one; 0 when it does not count
     * @param running the keys of what runs there
     * @param ended exit codes of the keepers that have ended there since it asked last, by key
     */
    Future<List<Offer>> take(long number, Set<String> running, Map<String, Integer> ended);
  }

  /**
   * A keeper that is to be started in an environment.
   *
   * @param key what it is called there
   */
  record Offer(String key, Launch launch) {}

  /** A listener for events of keepers. It is called from any thread and must not block. */
  interface Listener {
    /** Its command is about to run, or it is back after a silence. */
    void started(AttemptRef attempt, String keeper, boolean primary, Instant at);

    /** Its command has ended, and everything that it reported, printed and left is here. */
    void ended(AttemptRef attempt, String keeper, State.Ended end);

    /** Something that people should know of the attempt while it goes on. */
    void noted(AttemptRef attempt, String note);

    /** Nothing has been heard of it for a minute, and for each minute more. It may come back. */
    void silent(AttemptRef attempt, String keeper, Duration since);
  }

  /** The state of a keeper. */
  sealed interface State {
    boolean primary();

    /**
     * The end of an attempt's command, as its primary has told it.
     *
     * @param keepers all of the attempt, by name
     */
    static Optional<Ended> end(Map<String, State> keepers) {
      return keepers.values().stream()
          .filter(State::primary)
          .filter(Ended.class::isInstance)
          .map(Ended.class::cast)
          .findFirst();
    }

    record Running(Instant since, boolean primary) implements State {}

    /**
     * A report of the end of a command.
     *
     * @param exitCode of the command; 128 + n after signal n
     * @param reason more about a bad end, in words; null when the exit code says all
     */
    record Ended(int exitCode, Instant at, boolean primary, @Nullable String reason)
        implements State {
      /** The exit code after SIGTERM: 128 + 15. */
      public static final int TERMINATED = 143;
    }
  }
}
