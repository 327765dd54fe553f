package io.orrery.orchestrator.platform.hybrid;

import static io.orrery.orchestrator.platform.Background.await;

import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.platform.Background;
import io.orrery.orchestrator.platform.MachineState;
import io.orrery.orchestrator.platform.Neighbours;
import io.orrery.orchestrator.platform.PlatformEvent;
import io.orrery.orchestrator.platform.Room;
import io.orrery.orchestrator.platform.Submission;
import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.orrery.orchestrator.platform.hybrid.HybridFiles.Place;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares attempts out among other platforms. Where one goes is written down before it is handed
 * over, and it keeps its name there: so whatever is repeated, after a restart as well, goes where
 * it went before. When no platform has room, an attempt waits in a line of its own and goes where
 * room comes first.
 */
final class HybridService implements TrainingService {
  private static final Logger LOG = LoggerFactory.getLogger(HybridService.class);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration GATHERING = Duration.ofSeconds(3);
  private static final Duration ADOPT_AGAIN = Duration.ofSeconds(5);
  private static final String NEVER = "canceled before it started";

  private final Surroundings surroundings;
  private final Neighbours neighbours;
  private final Background background;
  private final HybridFiles files;
  private final Map<ExperimentId, Fleet> fleets = new ConcurrentHashMap<>();

  /** Held while it is decided, and written down, where an attempt goes; not while it goes. */
  private final ReentrantLock deciding = new ReentrantLock();

  /** Those that wait for room, with what was said to them; guarded by the lock. */
  private final Map<AttemptRef, Waiting> line = new LinkedHashMap<>();

  /** Those that are just being canceled. */
  private final Set<AttemptRef> canceled = ConcurrentHashMap.newKeySet();

  /** Whether it is looked again soon. */
  private final AtomicBoolean looking = new AtomicBoolean();

  private volatile boolean closed;

  private static final class Waiting {
    final Submission submission;
    @Nullable String told;

    Waiting(Submission submission) {
      this.submission = submission;
    }
  }

  HybridService(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.neighbours = surroundings.neighbours();
    this.background = new Background(surroundings.vertx(), "hybrid");
    this.files = new HybridFiles(surroundings.home());
    neighbours.overhear(this::overheard);
  }

  // ---- before the trials ---------------------------------------------------------------------

  @Override
  public Future<List<Item>> check(ExperimentSpec spec) {
    return each(
        spec,
        (member, service) ->
            service
                .check(member.alone(spec))
                .map(items -> items.stream().map(item -> named(member, item)).toList()));
  }

  private static Item named(Member member, Item item) {
    return new Item(member.name() + ": " + item.what(), item.verdict(), item.found(), item.mend());
  }

  @Override
  public Future<List<String>> notices(ExperimentSpec spec) {
    return each(spec, (member, service) -> service.notices(member.alone(spec)));
  }

  /** A question to a platform. */
  private interface Question<T> {
    Future<List<T>> ask(Member member, TrainingService service);
  }

  private <T> Future<List<T>> each(ExperimentSpec spec, Question<T> question) {
    List<Future<List<T>>> answers =
        Member.of(spec).stream()
            .map(member ->
                neighbours
                    .service(member.platform())
                    .compose(service -> question.ask(member, service)))
            .toList();
    return Future.all(answers)
        .map(all -> answers.stream().flatMap(answer -> answer.result().stream()).toList());
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, ExperimentSpec spec) {
    return background.run(() -> {
      Fleet fleet = fleet(experiment, spec);
      new Preparation(
              experiment,
              spec,
              fleet,
              neighbours,
              surroundings.clock(),
              GATHERING,
              () -> !closed && fleets.get(experiment) == fleet,
              this::look)
          .begin();
      files.prepared(experiment, spec);
      return null;
    });
  }

  private Fleet fleet(ExperimentId experiment, ExperimentSpec spec) {
    return fleets.computeIfAbsent(
        experiment, id -> new Fleet(Member.of(spec), surroundings.clock()));
  }

  // ---- where an attempt goes -----------------------------------------------------------------

  @Override
  public Future<Void> submit(Submission submission) {
    return background.run(() -> {
      arrange(submission, false);
      return null;
    });
  }

  /**
   * Sends an attempt somewhere, or lets it wait.
   *
   * @param turn whether it has waited until now, so that it stands behind nobody
   */
  private void arrange(Submission submission, boolean turn) throws Exception {
    AttemptRef ref = submission.attempt();
    Fleet fleet = fleet(ref.trial().experiment(), submission.spec());
    boolean over = false;
    while (!over) {
      Member member;
      deciding.lock();
      try {
        Place place = files.place(ref);
        if (place == null) {
          member = choose(submission, fleet, turn);
        } else if (place.member() != null) {
          member = member(fleet, place.member());
          fleet.found(ref, member.name());
        } else {
          member = null;
          neverStarted(ref);
        }
      } finally {
        deciding.unlock();
      }
      over = member == null || hand(submission, fleet, member);
    }
  }

  private static Member member(Fleet fleet, String name) {
    return fleet
        .member(name)
        .orElseThrow(() ->
            new Problem.NotFound("the experiment has no platform '" + name + "' any more")
                .toException());
  }

  /** A platform for an attempt; null when it waits. */
  private @Nullable Member choose(Submission submission, Fleet fleet, boolean turn)
      throws IOException {
    AttemptRef ref = submission.attempt();
    boolean behind =
        !turn
            && line.keySet().stream()
                .anyMatch(other -> other.trial().experiment().equals(ref.trial().experiment()));
    Choice choice =
        behind
            ? new Choice(null, "others of the experiment wait for a platform before it")
            : fleet.choose(ref, member -> room(member, submission.spec()));
    Standing chosen = choice.chosen();
    if (chosen == null) {
      Waiting waiting = line.computeIfAbsent(ref, fresh -> new Waiting(submission));
      if (!choice.why().equals(waiting.told)) {
        waiting.told = choice.why();
        tell(new PlatformEvent.Waiting(ref, choice.why()));
      }
      lookLater();
      return null;
    }
    files.place(ref, new Place(chosen.name()));
    line.remove(ref);
    return member(fleet, chosen.name());
  }

  private Room room(Member member, ExperimentSpec spec) {
    Future<TrainingService> service = neighbours.service(member.platform());
    return service.succeeded()
        ? service.result().room(member.alone(spec))
        : Room.absent("is not a platform of this server");
  }

  @Override
  public List<MachineState> machines(ExperimentId experiment, ExperimentSpec spec) {
    Fleet known = fleets.get(experiment);
    Fleet fleet = known == null ? new Fleet(Member.of(spec), surroundings.clock()) : known;
    return fleet.members().stream()
        .flatMap(member -> machines(experiment, spec, fleet, member).stream())
        .toList();
  }

  /** Those of a platform; and itself, when it shows none or none of them gets anything. */
  private List<MachineState> machines(
      ExperimentId experiment, ExperimentSpec spec, Fleet fleet, Member member) {
    Standing standing = fleet.standing(member, room(member, spec));
    Future<TrainingService> service = neighbours.service(member.platform());
    List<MachineState> states = new ArrayList<>();
    if (service.succeeded()) {
      service.result().machines(experiment, member.alone(spec)).stream()
          .map(state -> state.of(member.name()))
          .forEach(states::add);
    }
    if (states.isEmpty() || standing.absence() != null) {
      states.addFirst(
          new MachineState(
              member.name(),
              null,
              standing.absence(),
              null,
              null,
              fleet.at(member),
              standing.free(),
              null));
    }
    return states;
  }

  /** Whether it is there now; false when it may go elsewhere. */
  private boolean hand(Submission submission, Fleet fleet, Member member) throws Exception {
    AttemptRef ref = submission.attempt();
    TrainingService service = await(neighbours.service(member.platform()));
    try {
      await(service.submit(at(member, submission)));
      return true;
    } catch (ProblemException e) {
      switch (e.problem()) {
        case Problem.Busy busy -> {
          Duration pause = busy.retryAfter().compareTo(LOOK) > 0 ? busy.retryAfter() : LOOK;
          fleet.setAside(member.name(), busy.detail(), pause);
          return !leave(ref, fleet);
        }
        // Perhaps it was taken: who repeats this finds it there.
        case Problem.Broken _, Problem.Unavailable _ -> throw e;
        case Problem.Refused _,
            Problem.NotFound _,
            Problem.Conflict _,
            Problem.Unauthorized _,
            Problem.Forbidden _,
            Problem.TooLarge _ -> {
          leave(ref, fleet);
          throw e;
        }
      }
    }
  }

  /** A platform did not take it; whether it may go elsewhere. */
  private boolean leave(AttemptRef ref, Fleet fleet) throws IOException {
    deciding.lock();
    try {
      fleet.left(ref);
      if (canceled.contains(ref)) {
        files.place(ref, new Place(null));
        neverStarted(ref);
        return false;
      }
      files.forget(ref);
      return true;
    } finally {
      deciding.unlock();
    }
  }

  private static Submission at(Member member, Submission submission) {
    return new Submission(
        submission.attempt(),
        submission.sequenceId(),
        submission.parameters(),
        member.alone(submission.spec()));
  }

  private void lookLater() {
    if (!closed && looking.compareAndSet(false, true)) {
      surroundings
          .clock()
          .after(
              LOOK,
              () -> {
                looking.set(false);
                look();
              });
    }
  }

  /** Perhaps there is room now. */
  private void look() {
    try {
      background.execute(this::serve);
    } catch (RejectedExecutionException closing) {
      LOG.trace("Nobody is sent anywhere any more.");
    }
  }

  /** Those in the line, one after the other; of each experiment until there is no room. */
  private void serve() {
    List<Waiting> waiting;
    deciding.lock();
    try {
      waiting = List.copyOf(line.values());
    } finally {
      deciding.unlock();
    }
    Set<ExperimentId> full = new HashSet<>();
    for (Waiting each : waiting) {
      AttemptRef ref = each.submission.attempt();
      if (full.contains(ref.trial().experiment()) || !isInLine(ref)) {
        continue;
      }
      try {
        arrange(each.submission, true);
        if (isInLine(ref)) {
          full.add(ref.trial().experiment());
        }
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
        return;
      } catch (Exception e) {
        declined(each, Problem.of(e));
      }
    }
  }

  private boolean isInLine(AttemptRef ref) {
    deciding.lock();
    try {
      return line.containsKey(ref);
    } finally {
      deciding.unlock();
    }
  }

  /** One that has waited here cannot be given back: whoever submitted it has gone on. */
  private void declined(Waiting waiting, Problem problem) {
    AttemptRef ref = waiting.submission.attempt();
    if (problem instanceof Problem.Broken) {
      LOG.warn("{} was not handed over, trying again: {}", ref, problem.detail());
      deciding.lock();
      try {
        line.putIfAbsent(ref, waiting);
        lookLater();
      } finally {
        deciding.unlock();
      }
      return;
    }
    tell(new PlatformEvent.Ended(ref, null, surroundings.clock().now(), problem.detail()));
  }

  // ---- what becomes of it --------------------------------------------------------------------

  private void overheard(PlatformEvent event) {
    AttemptRef ref = event.attempt();
    Fleet fleet = fleets.get(ref.trial().experiment());
    if (fleet == null || closed) {
      return;
    }
    switch (event) {
      case PlatformEvent.Started _ -> {
        String why = fleet.started(ref);
        if (why != null) {
          tell(new PlatformEvent.Noted(ref, why));
        }
      }
      case PlatformEvent.Vacated _, PlatformEvent.Ended _ -> {
        if (fleet.left(ref)) {
          look();
        }
      }
      case PlatformEvent.Waiting _, PlatformEvent.Noted _, PlatformEvent.Unreachable _ -> {}
    }
  }

  @Override
  public Future<Void> cancel(AttemptRef ref) {
    return background.run(() -> {
      Place place;
      deciding.lock();
      try {
        canceled.add(ref);
        place = files.place(ref);
        if (place == null) {
          files.place(ref, new Place(null));
          if (line.remove(ref) != null) {
            neverStarted(ref);
          }
        }
      } finally {
        deciding.unlock();
      }
      try {
        if (place != null && place.member() != null) {
          await(service(ref, place.member()).cancel(ref));
        }
      } finally {
        canceled.remove(ref);
      }
      return null;
    });
  }

  @Override
  public Future<Boolean> withdraw(AttemptRef ref) {
    return background.run(() -> {
      Place place;
      deciding.lock();
      try {
        if (line.remove(ref) != null) {
          return true;
        }
        place = files.place(ref);
      } finally {
        deciding.unlock();
      }
      if (place == null || place.member() == null) {
        return false;
      }
      boolean back = await(service(ref, place.member()).withdraw(ref));
      if (back) {
        deciding.lock();
        try {
          files.forget(ref);
        } finally {
          deciding.unlock();
        }
        Fleet fleet = fleets.get(ref.trial().experiment());
        if (fleet != null && fleet.left(ref)) {
          look();
        }
      }
      return back;
    });
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    return background.run(() -> {
      List<AttemptRef> unknown = new ArrayList<>();
      Map<Member, List<Submission>> there = new LinkedHashMap<>();
      for (Submission submission : submissions) {
        AttemptRef ref = submission.attempt();
        Place place = files.place(ref);
        if (place == null) {
          if (!isInLine(ref)) {
            unknown.add(ref);
          }
        } else if (place.member() == null) {
          neverStarted(ref);
        } else {
          Fleet fleet = fleet(ref.trial().experiment(), submission.spec());
          Member member = member(fleet, place.member());
          fleet.found(ref, member.name());
          there.computeIfAbsent(member, fresh -> new ArrayList<>()).add(submission);
        }
      }
      for (Map.Entry<Member, List<Submission>> entry : there.entrySet()) {
        unknown.addAll(adopt(entry.getKey(), entry.getValue()));
      }
      return List.copyOf(unknown);
    });
  }

  /** Those that a platform does not know; one that cannot answer now is asked again and again. */
  private List<AttemptRef> adopt(Member member, List<Submission> submissions) throws Exception {
    TrainingService service = await(neighbours.service(member.platform()));
    try {
      List<AttemptRef> unknown =
          await(service.adopt(submissions.stream().map(each -> at(member, each)).toList()));
      for (AttemptRef ref : unknown) {
        files.forget(ref);
        Fleet fleet = fleets.get(ref.trial().experiment());
        if (fleet != null) {
          fleet.left(ref);
        }
      }
      return unknown;
    } catch (ProblemException e) {
      String why = member.name() + " cannot say how it is: " + e.problem().detail();
      LOG.warn("{} attempts are not taken up yet: {}", submissions.size(), why);
      submissions.forEach(each -> tell(new PlatformEvent.Unreachable(each.attempt(), why)));
      surroundings.clock().after(ADOPT_AGAIN, () -> adoptLater(member, submissions));
      return List.of();
    }
  }

  private void adoptLater(Member member, List<Submission> submissions) {
    if (closed) {
      return;
    }
    background
        .run(() -> {
          List<AttemptRef> unknown = adopt(member, submissions);
          for (Submission each : submissions) {
            if (unknown.contains(each.attempt())) {
              arrange(each, true);
            }
          }
          return null;
        })
        .onFailure(e -> LOG.warn("Attempts of {} are not taken up", member.name(), e));
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef ref, Stream stream, long offset, int limit) {
    return background
        .run(() -> {
          Place place = files.place(ref);
          if (place == null || place.member() == null) {
            throw new Problem.NotFound("there are no files of " + ref).toException();
          }
          return service(ref, place.member());
        })
        .compose(service -> service.readLog(ref, stream, offset, limit));
  }

  /** The platform of this name that an attempt's experiment has. */
  private TrainingService service(AttemptRef ref, String name) throws Exception {
    ExperimentId experiment = ref.trial().experiment();
    Fleet fleet = fleets.get(experiment);
    if (fleet == null) {
      ExperimentSpec spec = files.prepared(experiment);
      if (spec == null) {
        throw new Problem.NotFound("there are no files of " + ref).toException();
      }
      fleet = fleet(experiment, spec);
    }
    return await(neighbours.service(member(fleet, name).platform()));
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return background.run(() -> {
      Fleet fleet = fleets.remove(experiment);
      ExperimentSpec spec = files.prepared(experiment);
      List<Member> members =
          fleet != null ? fleet.members() : spec == null ? List.of() : Member.of(spec);
      List<String> platforms =
          members.stream()
              .map(Member::platform)
              .distinct()
              // The local platform removes the whole directory, where the others read.
              .sorted(Comparator.comparing(platform -> platform.equals("local")))
              .toList();
      for (String platform : platforms) {
        await(Objects.requireNonNull(await(neighbours.service(platform))).cleanUp(experiment));
      }
      files.cleanUp(experiment);
      return null;
    });
  }

  private void neverStarted(AttemptRef ref) {
    tell(new PlatformEvent.Ended(ref, null, surroundings.clock().now(), NEVER));
  }

  private void tell(PlatformEvent event) {
    surroundings.listener().happened(event);
  }

  /** Its neighbours are closed by whoever opened them. */
  @Override
  public Future<Void> close() {
    closed = true;
    background.interrupt();
    return background.atLast(() -> background.awaitEnd(GATHERING));
  }
}
