package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.experiment.TrialCost;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objectives;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions to the search; the tuner module answers. */
public final class Tuners {
  /** Longer than a tuner thinks before it says that it is Busy. */
  private static final Duration THINKING = Duration.ofSeconds(15);

  /** Whether an algorithm exists, takes these arguments and this space. */
  public static final Address<Check, Checked> CHECK =
      new Address<>("tuners.check", Check.class, Checked.class).waiting(Address.LONG);

  /**
   * Makes the tuner of an experiment, and its assessor if it has one, in place of those that it may
   * have had, in any process that lets tuners think. Answers at once; the past is read from {@link
   * Trials#HISTORY} (an assessor's also from {@link Metrics#SERIES}) meanwhile, and questions wait
   * until it is in.
   *
   * <p>What the tuner before suggested and no history holds, because the plan was taken back, is
   * suggested again: so an owner that has taken plans back opens again before the next question.
   *
   * <p>What is asked of it later is asked at its place ({@link Address#of}), so that it reaches
   * this tuner and no other. Unavailable there says that its process has gone: it is opened again,
   * at another place, and another process reads the past.
   */
  public static final Address<Open, Opened> OPEN =
      new Address<>("tuners.open", Open.class, Opened.class).waiting(THINKING);

  /**
   * What to try next, and before that how trials ended; at the place of the tuner. Waits for a
   * tuner that is still replaying its past.
   *
   * <p>Busy when the tuner has not answered for some seconds: its detail says since when, or how it
   * failed and that it is started again. It goes on thinking, and the same question asked again
   * gets what it will have found. Broken when it failed too often in a row: it stays so until it is
   * opened again.
   */
  public static final Address<Ask, Suggestions> ASK =
      new Address<>("tuners.ask", Ask.class, Suggestions.class).waiting(THINKING);

  /** How trials ended; for the assessor as well; at the place of the tuner. */
  public static final Address<Tell, Told> TELL =
      new Address<>("tuners.tell", Tell.class, Told.class).waiting(THINKING);

  /**
   * Whether a running attempt is worth its time, by everything that it has reported and that is
   * durable; at the place of the tuner. Busy and Broken as for {@link #ASK}.
   */
  public static final Address<Assess, Assessed> ASSESS =
      new Address<>("tuners.assess", Assess.class, Assessed.class).waiting(THINKING);

  /** Forgets the tuner and the assessor of a place. */
  public static final Address<Close, Told> CLOSE =
      new Address<>("tuners.close", Close.class, Told.class);

  /** All algorithms, with what they accept. */
  public static final Address<ListAll, Catalogue> LIST =
      new Address<>("tuners.list", ListAll.class, Catalogue.class);

  /**
   * Gives a class of the user's own a name that configurations may use; durable when answered.
   * Refused when the name is taken by a built-in algorithm.
   */
  public static final Address<Registration, Told> REGISTER =
      new Address<>("tuners.register", Registration.class, Told.class);

  /** Checks a registration as {@link #REGISTER} does; registers nothing. */
  public static final Address<Registration, Told> CHECK_REGISTER =
      new Address<>("tuners.checkRegister", Registration.class, Told.class);

  /** Takes such a name away. NotFound when nothing has it. */
  public static final Address<Unregister, Told> UNREGISTER =
      new Address<>("tuners.unregister", Unregister.class, Told.class);

  /**
   * How much each parameter decides the results so far. May take a second when there are new ones.
   */
  public static final Address<ImportanceOf, Importances> IMPORTANCE =
      new Address<>("tuners.importance", ImportanceOf.class, Importances.class)
          .waiting(Address.LONG);

  /** The epoch of what has no lease. */
  public static final long NO_LEASE = 0;

  private Tuners() {}

  /**
   * A request to check an algorithm.
   *
   * @param kind {@code tuner} or {@code assessor}
   * @param objectives how many there are, 1 or more
   */
  public record Check(String kind, AlgorithmSpec algorithm, SearchSpace space, int objectives) {}

  /**
   * The result of the check of an algorithm.
   *
   * @param findings pointers relative to the experiment's document: {@code /tuner/…}, {@code
   *     /searchSpace/…}; empty when all is well
   * @param name the algorithm's name as the catalogue spells it, null when there is none
   * @param optimizeMode the algorithm's own direction argument when given, else null
   */
  public record Checked(
      List<Finding> findings, @Nullable String name, @Nullable Direction optimizeMode) {
    public Checked {
      findings = List.copyOf(findings);
    }
  }

  /**
   * A request to open a tuner.
   *
   * @param assessor null when trials are left to run to their end; equal to the algorithm when that
   *     is an advisor of the user's own, which judges trials itself
   * @param objectives of the experiment; an assessor looks at the first, and its own {@code
   *     optimize_mode} goes before that one's goal
   * @param throughOrdinal how far {@link Trials#HISTORY} is to be read before the first question is
   *     answered
   * @param place no other tuner has had it
   * @param epoch of the experiment's lease, under which this one is opened: when it has gone to
   *     another, this tuner is not needed any more; {@link #NO_LEASE} in a {@linkplain Simulations
   *     rehearsal}, which needs it for as long as that may take
   * @param cost what trials cost, for a tuner that takes that into account; null when none does
   */
  public record Open(
      ExperimentId experiment,
      AlgorithmSpec algorithm,
      @Nullable AlgorithmSpec assessor,
      SearchSpace space,
      Objectives objectives,
      long seed,
      long throughOrdinal,
      String place,
      long epoch,
      @Nullable TrialCost cost) {
    /** Costs are not looked at. */
    public Open(
        ExperimentId experiment,
        AlgorithmSpec algorithm,
        @Nullable AlgorithmSpec assessor,
        SearchSpace space,
        Objectives objectives,
        long seed,
        long throughOrdinal,
        String place,
        long epoch) {
      this(
          experiment,
          algorithm,
          assessor,
          space,
          objectives,
          seed,
          throughOrdinal,
          place,
          epoch,
          null);
    }
  }

  /**
   * A tuner that is open.
   *
   * @param aheadLimit how many suggestions beyond the free slots may be asked for; 0 when each
   *     should know all results before it
   */
  public record Opened(int aheadLimit) {}

  /**
   * A request for suggestions.
   *
   * @param count how many, 1 or more
   * @param firstNumber number of the first of them, counted over the experiment from 0: the same
   *     number, after the same history, gives the same suggestion
   * @param news how trials ended that it has not been told of, in the order of the history; for the
   *     assessor as well. What it has been told it does not learn again
   */
  public record Ask(
      ExperimentId experiment, int count, long firstNumber, List<Trials.Settled> news) {
    public Ask {
      news = List.copyOf(news);
    }

    /** There are no news. */
    public Ask(ExperimentId experiment, int count, long firstNumber) {
      this(experiment, count, firstNumber, List.of());
    }
  }

  /**
   * The suggestions of a tuner.
   *
   * @param items at most as many as asked for
   * @param exhausted whether the tuner has nothing more to suggest, now and after any result
   * @param thinking whether it is at work on more of them, so that it should be asked again even if
   *     no trial ends meanwhile
   */
  public record Suggestions(List<Suggestion> items, boolean exhausted, boolean thinking) {
    public Suggestions {
      items = List.copyOf(items);
    }

    /** The answer of a tuner that is not at work on more. */
    public Suggestions(List<Suggestion> items, boolean exhausted) {
      this(items, exhausted, false);
    }
  }

  public record Suggestion(String parameterId, Parameters parameters) {}

  public record Tell(ExperimentId experiment, List<Trials.Settled> results) {
    public Tell {
      results = List.copyOf(results);
    }
  }

  public record Told() {}

  /**
   * A question to the assessor about an attempt.
   *
   * @param parameterId the tuner's number of what the attempt tries, null when a user chose it
   */
  public record Assess(AttemptRef attempt, @Nullable String parameterId) {}

  /**
   * The verdict of an assessor.
   *
   * @param bad why the attempt should be ended, after the assessor's name; null when it may go on
   */
  public record Assessed(@Nullable String bad) {}

  public record Close(ExperimentId experiment) {}

  public record ListAll() {}

  public record Catalogue(List<Algorithm> algorithms) {
    public Catalogue {
      algorithms = List.copyOf(algorithms);
    }
  }

  /**
   * A registered class of a user.
   *
   * @param kind {@code tuner}, {@code assessor} or {@code advisor}
   * @param className {@code module.Class}
   * @param codeDirectory absolute directory of the module; null when Python finds it without
   * @param classArgs arguments that a configuration need not repeat
   */
  public record Registration(
      String name,
      String kind,
      String className,
      @Nullable String codeDirectory,
      Parameters classArgs) {}

  public record Unregister(String name) {}

  /**
   * An algorithm that can be used.
   *
   * @param kind {@code tuner} or {@code assessor}; of a class of the user's own also {@code
   *     advisor}
   * @param types for each NNI type (and {@code nested}) whether the algorithm takes it
   * @param severalObjectives whether it takes more than one
   * @param arguments its classArgs
   * @param className of a registered class of the user's own, which alone knows what it takes; null
   *     when it is built in
   */
  public record Algorithm(
      String name,
      List<String> aliases,
      String kind,
      String summary,
      Map<String, Boolean> types,
      boolean severalObjectives,
      List<Argument> arguments,
      @Nullable String className) {
    public Algorithm {
      aliases = List.copyOf(aliases);
      types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
      arguments = List.copyOf(arguments);
    }

    /** A built-in one. */
    public Algorithm(
        String name,
        List<String> aliases,
        String kind,
        String summary,
        Map<String, Boolean> types,
        boolean severalObjectives,
        List<Argument> arguments) {
      this(name, aliases, kind, summary, types, severalObjectives, arguments, null);
    }
  }

  /**
   * An argument of an algorithm.
   *
   * @param type {@code integer}, {@code number}, {@code boolean}, {@code text}
   * @param standard the default as text, null when there is none
   */
  public record Argument(String name, String type, @Nullable String standard, String meaning) {}

  public record ImportanceOf(ExperimentId experiment) {}

  /**
   * The importance of parameters.
   *
   * @param items every parameter of the search space, the most important first; empty when nothing
   *     can be said
   * @param method how it was found
   * @param trials the number of results that it was found from
   * @param total the number of trials that have succeeded; more than {@code trials} when these are
   *     a sample, or when some reported no number or lie outside of the search space
   * @param reason why there are no items, null when there are
   */
  public record Importances(
      List<Importance> items, String method, int trials, long total, @Nullable String reason) {
    public Importances {
      items = List.copyOf(items);
    }
  }

  /**
   * The importance of a parameter.
   *
   * @param parameter its name; one of a nested choice after those of the choice and the branch, as
   *     in {@code optimizer/sgd/momentum}
   * @param importance its share of what the parameters explain one by one, from 0 to 1; all sum to
   *     1
   */
  public record Importance(String parameter, double importance) {}
}
