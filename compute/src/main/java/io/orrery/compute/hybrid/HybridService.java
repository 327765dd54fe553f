package io.orrery.compute.hybrid;

import static io.orrery.compute.attempt.Background.await;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.hybrid.HybridFiles.Place;
import io.orrery.compute.service.MachineState;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.SiblingPlatforms;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares attempts out among other platforms: {@link HybridDispatcher} says where each goes, and an
 * attempt keeps its name there, so whatever is asked of it later, after a restart as well, is asked
 * there.
 */
final class HybridService implements TrainingService {
  private static final Logger LOG = LoggerFactory.getLogger(HybridService.class);
  private static final Duration GATHERING = Duration.ofSeconds(3);
  private static final Duration ADOPT_AGAIN = Duration.ofSeconds(5);

  private final Surroundings surroundings;
  private final SiblingPlatforms neighbours;
  private final Background background;
  private final HybridFiles files;
  private final Fleets fleets;
  private final HybridDispatcher dispatch;
  private volatile boolean closed;

  HybridService(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.neighbours = surroundings.neighbours();
    this.background = new Background(surroundings.vertx(), "hybrid");
    this.files = new HybridFiles(surroundings.home());
    this.fleets = new Fleets(surroundings.clock());
    this.dispatch = new HybridDispatcher(surroundings, background, files, fleets);
    neighbours.overhear(dispatch::overheard);
  }

  // ---- before the trials ---------------------------------------------------------------------

  @Override
  public Future<List<Item>> check(JobSpec job, int concurrency) {
    return each(
        job,
        (member, service) ->
            service
                .check(member.alone(job), concurrency)
                .map(items -> items.stream().map(item -> named(member, item)).toList()));
  }

  private static Item named(MemberPlatform member, Item item) {
    return new Item(
        member.name() + ": " + item.what(), item.verdict(), item.found(), item.remedy());
  }

  @Override
  public Future<List<String>> notices(JobSpec job) {
    return each(job, (member, service) -> service.notices(member.alone(job)));
  }

  /** A question to a platform. */
  private interface Question<T> {
    Future<List<T>> ask(MemberPlatform member, TrainingService service);
  }

  private <T> Future<List<T>> each(JobSpec job, Question<T> question) {
    List<Future<List<T>>> answers =
        MemberPlatform.of(job).stream()
            .map(member ->
                neighbours
                    .service(member.platform())
                    .compose(service -> question.ask(member, service)))
            .toList();
    return Future.all(answers)
        .map(all -> answers.stream().flatMap(answer -> answer.result().stream()).toList());
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job) {
    return prepareAll(experiment, job, null);
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job, SearchSpec search) {
    return prepareAll(experiment, job, search);
  }

  private Future<Void> prepareAll(
      ExperimentId experiment, JobSpec job, @Nullable SearchSpec search) {
    return background.run(() -> {
      PlatformStats fleet = fleets.of(experiment, job);
      new Preparation(
              experiment,
              job,
              search,
              fleet,
              neighbours,
              surroundings.clock(),
              GATHERING,
              () -> !closed && fleets.has(fleet),
              dispatch::look)
          .begin();
      if (!experiment.isOfRun()) {
        files.prepared(experiment, job);
      }
      return null;
    });
  }

  // ---- where an attempt goes -----------------------------------------------------------------

  @Override
  public Future<Void> submit(Submission submission) {
    return background.run(() -> {
      AttemptRef ref = submission.attempt();
      if (ref.trial().experiment().isOfRun()) {
        files.prepared(ref, submission.job());
      }
      dispatch.arrange(submission, false);
      return null;
    });
  }

  @Override
  public List<MachineState> machines(ExperimentId experiment, JobSpec job) {
    PlatformStats known = fleets.known(experiment);
    PlatformStats fleet =
        known == null ? new PlatformStats(MemberPlatform.of(job), surroundings.clock()) : known;
    return fleet.members().stream()
        .flatMap(member -> machines(experiment, job, fleet, member).stream())
        .toList();
  }

  /** Those of a platform; and itself, when it shows none or none of them gets anything. */
  private List<MachineState> machines(
      ExperimentId experiment, JobSpec job, PlatformStats fleet, MemberPlatform member) {
    PlatformLoad standing = fleet.standing(member, dispatch.room(member, job));
    Future<TrainingService> service = neighbours.service(member.platform());
    List<MachineState> states = new ArrayList<>();
    if (service.succeeded()) {
      service.result().machines(experiment, member.alone(job)).stream()
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

  // ---- what becomes of it --------------------------------------------------------------------

  @Override
  public Future<Void> cancel(AttemptRef ref) {
    return background.run(() -> {
      Place place = dispatch.cancel(ref);
      try {
        if (place != null && place.member() != null) {
          await(service(ref, place.member()).cancel(ref));
        }
      } finally {
        dispatch.wasCanceled(ref);
      }
      return null;
    });
  }

  @Override
  public Future<Boolean> withdraw(AttemptRef ref) {
    return background.run(() -> {
      if (dispatch.withdraw(ref)) {
        return true;
      }
      Place place = files.place(ref);
      if (place == null || place.member() == null) {
        return false;
      }
      boolean back = await(service(ref, place.member()).withdraw(ref));
      if (back) {
        dispatch.takenBack(ref);
      }
      return back;
    });
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    return background.run(() -> {
      List<AttemptRef> unknown = new ArrayList<>();
      Map<MemberPlatform, List<Submission>> there = new LinkedHashMap<>();
      for (Submission submission : submissions) {
        AttemptRef ref = submission.attempt();
        Place place = files.place(ref);
        if (place == null) {
          if (!dispatch.isInLine(ref)) {
            unknown.add(ref);
          }
        } else if (place.member() == null) {
          dispatch.neverStarted(ref);
        } else {
          PlatformStats fleet = fleets.of(ref, submission.job());
          MemberPlatform member = fleet.named(place.member());
          fleet.found(ref, member.name());
          there.computeIfAbsent(member, fresh -> new ArrayList<>()).add(submission);
        }
      }
      for (Map.Entry<MemberPlatform, List<Submission>> entry : there.entrySet()) {
        unknown.addAll(adopt(entry.getKey(), entry.getValue()));
      }
      return List.copyOf(unknown);
    });
  }

  /** Those that a platform does not know; one that cannot answer now is asked again and again. */
  private List<AttemptRef> adopt(MemberPlatform member, List<Submission> submissions)
      throws Exception {
    TrainingService service = await(neighbours.service(member.platform()));
    try {
      List<AttemptRef> unknown =
          await(service.adopt(submissions.stream().map(member::alone).toList()));
      for (AttemptRef ref : unknown) {
        dispatch.neverCame(ref, member);
      }
      return unknown;
    } catch (ProblemException e) {
      String why = member.name() + " cannot say how it is: " + e.problem().detail();
      LOG.warn("could not adopt {} attempts yet: {}", submissions.size(), why);
      submissions.forEach(each -> tell(new PlatformEvent.Unreachable(each.attempt(), why)));
      surroundings.clock().after(ADOPT_AGAIN, () -> adoptLater(member, submissions));
      return List.of();
    }
  }

  private void adoptLater(MemberPlatform member, List<Submission> submissions) {
    boolean ours =
        submissions.stream()
            .map(each -> each.attempt().trial().experiment())
            .allMatch(surroundings.keepers()::mayAct);
    if (closed || !ours) {
      return;
    }
    background
        .run(() -> {
          List<AttemptRef> unknown = adopt(member, submissions);
          for (Submission each : submissions) {
            if (unknown.contains(each.attempt())) {
              dispatch.arrange(each, true);
            }
          }
          return null;
        })
        .onFailure(e -> LOG.warn("could not adopt the attempts of {}", member.name(), e));
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef ref, Stream stream, long offset, int limit) {
    return background
        .run(() -> placed(ref))
        .compose(service -> service.readLog(ref, stream, offset, limit));
  }

  @Override
  public Future<Void> bring(AttemptRef ref, Path outputs) {
    return background.run(() -> placed(ref)).compose(service -> service.bring(ref, outputs));
  }

  /** The platform that an attempt was sent to; fails with NotFound when it was not. */
  private TrainingService placed(AttemptRef ref) throws Exception {
    Place place = files.place(ref);
    if (place == null || place.member() == null) {
      throw new Problem.NotFound("there are no files of " + ref).toException();
    }
    return service(ref, place.member());
  }

  /** The platform of this name that an attempt's experiment has. */
  private TrainingService service(AttemptRef ref, String name) throws Exception {
    PlatformStats fleet = fleets.known(ref);
    if (fleet == null) {
      JobSpec job = files.prepared(ref);
      if (job == null) {
        throw new Problem.NotFound("there are no files of " + ref).toException();
      }
      ExperimentId experiment = ref.trial().experiment();
      fleet =
          experiment.isOfRun()
              ? new PlatformStats(MemberPlatform.of(job), surroundings.clock())
              : fleets.of(experiment, job);
    }
    return await(neighbours.service(fleet.named(name).platform()));
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return background.run(() -> {
      for (String platform : platforms(experiment, fleets.forget(experiment))) {
        await(Objects.requireNonNull(await(neighbours.service(platform))).cleanUp(experiment));
      }
      files.cleanUp(experiment);
      return null;
    });
  }

  @Override
  public Future<List<String>> remove(ExperimentId experiment) {
    return background.run(() -> {
      List<String> left = new ArrayList<>();
      for (String platform : platforms(experiment, fleets.forget(experiment))) {
        TrainingService service = Objects.requireNonNull(await(neighbours.service(platform)));
        left.addAll(Objects.requireNonNull(await(service.remove(experiment))));
      }
      files.cleanUp(experiment);
      return left;
    });
  }

  /** Those of an experiment, each once. */
  private List<String> platforms(ExperimentId experiment, List<PlatformStats> known)
      throws IOException {
    List<MemberPlatform> members = new ArrayList<>();
    known.forEach(fleet -> members.addAll(fleet.members()));
    if (known.isEmpty() || experiment.isOfRun()) {
      files.allPrepared(experiment).forEach(job -> members.addAll(MemberPlatform.of(job)));
    }
    return members.stream()
        .map(MemberPlatform::platform)
        .distinct()
        // The local platform removes the whole directory, where the others read.
        .sorted(Comparator.comparing(platform -> platform.equals("local")))
        .toList();
  }

  /** Keeps on the disk where each attempt was sent, for the server that owns it now. */
  @Override
  public Future<Void> leave(ExperimentId experiment) {
    return background.run(() -> {
      dispatch.leave(experiment);
      for (String platform : platforms(experiment, fleets.forget(experiment))) {
        await(Objects.requireNonNull(await(neighbours.service(platform))).leave(experiment));
      }
      return null;
    });
  }

  private void tell(PlatformEvent event) {
    surroundings.listener().happened(event);
  }

  /** Its neighbours are closed by the class that opened them. */
  @Override
  public Future<Void> close() {
    closed = true;
    dispatch.close();
    background.interrupt();
    return background.atLast(() -> background.awaitEnd(GATHERING));
  }
}
