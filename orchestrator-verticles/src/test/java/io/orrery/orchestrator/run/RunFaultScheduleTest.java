package io.orrery.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.experiment.RetryPolicy.Cause;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepStatus;
import io.orrery.orchestrator.run.RunSpecs.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays runs against faults drawn from a seed: the server is killed before and after each write and
 * between two decisions, the store refuses, programs fail, are lost or hang, users stop, pause,
 * resume and retry. {@code -Dorrery.faults=20000} plays more schedules, {@code
 * -Dorrery.faults.seed=N} one again.
 */
class RunFaultScheduleTest {
  private static final int SCHEDULES = Integer.getInteger("orrery.faults", 300);
  private static final @Nullable Long ONE = Long.getLong("orrery.faults.seed");

  @TestFactory
  Stream<DynamicTest> noStepRunsTwiceNoneIsForgottenAndNoneStartsTooEarly() {
    LongStream seeds = ONE == null ? LongStream.range(0, SCHEDULES) : LongStream.of(ONE);
    return seeds.mapToObj(
        seed -> DynamicTest.dynamicTest("seed " + seed, () -> new Schedule(seed).play()));
  }

  private record Attempt(int step, int number) {}

  /** An attempt at the training service, which outlives the server. */
  private static final class Job {
    boolean started;
    boolean over;
    boolean canceled;
    @Nullable Integer exitCode;
  }

  /** A schedule of faults, and the run that it is played against. */
  private static final class Schedule {
    private static final int TROUBLE = 400;
    private static final int HEALED = 20_000;

    private final SplittableRandom chance;
    private final RunSpec spec;
    private final RunGraph graph;
    private final Map<Attempt, Job> jobs = new HashMap<>();
    private final Deque<RunEvent> inbox = new ArrayDeque<>();
    private Instant now = Instant.EPOCH;
    private RunState diskState = RunState.NEW;
    private List<StepState> disk;
    private RunModel model;
    private @Nullable Instant wake;
    private boolean healed;

    Schedule(long seed) {
      chance = new SplittableRandom(seed);
      spec = drawn();
      graph = new RunGraph(spec);
      disk = RunModel.fresh(spec);
      model = new RunModel(spec, diskState, disk);
      inbox.add(new RunEvent.Opened());
    }

    private RunSpec drawn() {
      int tasks = chance.nextInt(1, 9);
      List<Step> steps = new ArrayList<>();
      for (int i = 0; i < tasks; i++) {
        String task = "t" + i;
        int copies = chance.nextInt(4) == 0 ? chance.nextInt(1, 4) : 0;
        RetryPolicy retry =
            new RetryPolicy(
                chance.nextInt(1, 4),
                Duration.ofSeconds(chance.nextInt(1, 5)),
                Set.of(Cause.FAILED, Cause.LOST));
        List<String> after = new ArrayList<>();
        for (int j = 0; j < i; j++) {
          if (chance.nextInt(3) == 0) {
            after.add("t" + j);
          }
        }
        boolean limited = chance.nextInt(3) == 0;
        for (int c = 0; c < Math.max(1, copies); c++) {
          Step step = copies == 0 ? Step.named(task) : Step.of(task, c + 1);
          step.after(after.toArray(String[]::new)).retry(retry);
          if (limited) {
            step.timeout(Duration.ofSeconds(chance.nextInt(5, 60)));
          }
          steps.add(step);
        }
      }
      Step exit = chance.nextBoolean() ? Step.named("exit") : null;
      return RunSpecs.run(chance.nextInt(1, 5), steps, exit);
    }

    void play() {
      for (int i = 0; i < TROUBLE; i++) {
        act();
      }
      healed = true;
      // Behind a pause that was not heard yet.
      inbox.add(new RunEvent.Resume());
      for (int i = 0; i < HEALED && !isQuiet(); i++) {
        act();
      }
      assertThat(diskState.status().isOver()).as("%s %s", diskState, disk).isTrue();
      assertThat(disk).allMatch(step -> step.status().isOver());
      assertThat(jobs.values()).allMatch(job -> job.over || !job.started);
      for (int i = 0; i < disk.size(); i++) {
        int made = disk.get(i).attempt() - disk.get(i).base();
        assertThat(made).isLessThanOrEqualTo(graph.step(i).retry().attempts());
        if (disk.get(i).status() == StepStatus.SUCCEEDED) {
          Job job = jobs.get(new Attempt(i, disk.get(i).attempt()));
          assertThat(job).isNotNull();
          assertThat(job.exitCode).isEqualTo(0);
        }
      }
    }

    private boolean isQuiet() {
      return inbox.isEmpty() && diskState.status().isOver() && model.state().equals(diskState);
    }

    private void act() {
      int what = chance.nextInt(100);
      if (!healed && what < 3) {
        kill();
      } else if (!healed && what < 8) {
        command();
      } else if (what < 30) {
        moveAJob();
      } else if (what < 45) {
        passTime();
      } else if (!inbox.isEmpty()) {
        handle(inbox.remove());
      }
    }

    private void kill() {
      inbox.clear();
      wake = null;
      model = new RunModel(spec, diskState, disk);
      if (!diskState.status().isOver()) {
        inbox.add(new RunEvent.Opened());
      }
    }

    private void command() {
      inbox.add(
          switch (chance.nextInt(6)) {
            case 0 -> new RunEvent.Stop();
            case 1, 2 -> new RunEvent.Pause();
            case 3 -> new RunEvent.Resume();
            default -> new RunEvent.Retry(Set.of());
          });
    }

    private void passTime() {
      now = now.plusSeconds(chance.nextInt(1, 6));
      if (wake != null && !wake.isAfter(now)) {
        wake = null;
        inbox.add(new RunEvent.Ticked());
      }
    }

    private void moveAJob() {
      List<Map.Entry<Attempt, Job>> moving =
          jobs.entrySet().stream()
              .filter(entry -> !entry.getValue().over)
              .sorted((one, other) -> one.getKey().toString().compareTo(other.getKey().toString()))
              .toList();
      if (moving.isEmpty()) {
        return;
      }
      Map.Entry<Attempt, Job> entry = moving.get(chance.nextInt(moving.size()));
      Attempt attempt = entry.getKey();
      Job job = entry.getValue();
      if (!job.started && !job.canceled) {
        startsInTime(attempt);
        job.started = true;
        tell(new RunEvent.Started(attempt.step(), attempt.number(), now));
      } else {
        int end = chance.nextInt(healed ? 3 : 10);
        job.over = true;
        job.exitCode = job.canceled ? Integer.valueOf(143) : end == 0 ? null : end == 1 ? 1 : 0;
        if (!job.started) {
          job.exitCode = null;
        }
        tell(ended(attempt, job));
      }
    }

    private RunEvent ended(Attempt attempt, Job job) {
      return new RunEvent.Ended(attempt.step(), attempt.number(), job.exitCode, null, now);
    }

    /** Of what it needs, everything is good on the disk. */
    private void startsInTime(Attempt attempt) {
      for (String task : graph.needs(attempt.step())) {
        for (int before : graph.ofTask(task)) {
          assertThat(disk.get(before).status().isGood())
              .as("%s before %s", before, attempt)
              .isTrue();
        }
      }
      long running = jobs.values().stream().filter(job -> job.started && !job.over).count();
      assertThat(running).isLessThan(spec.parallelism());
    }

    private void tell(RunEvent event) {
      inbox.add(event);
    }

    private void handle(RunEvent event) {
      List<RunDecision> decisions;
      try {
        decisions = model.decide(event, now);
      } catch (ProblemException refused) {
        return;
      }
      if (!healed && chance.nextInt(40) == 0) {
        kill();
        return;
      }
      List<StepState> rows = new ArrayList<>(disk);
      model.takeChanges().forEach(number -> rows.set(number, model.step(number)));
      disk = rows;
      diskState = model.state();
      wake = null;
      for (RunDecision decision : decisions) {
        if (!healed && chance.nextInt(40) == 0) {
          kill();
          return;
        }
        carryOut(decision);
      }
    }

    private void carryOut(RunDecision decision) {
      switch (decision) {
        case RunDecision.Launch(int step, int number) -> {
          // As the claims of a training service have it: a name starts once.
          Job job = jobs.computeIfAbsent(new Attempt(step, number), added -> new Job());
          if (job.over) {
            tell(ended(new Attempt(step, number), job));
          }
        }
        case RunDecision.Adopt(int step, int number) -> {
          Attempt attempt = new Attempt(step, number);
          Job job = jobs.get(attempt);
          if (job == null) {
            tell(new RunEvent.Unknown(step, number));
          } else {
            if (job.started) {
              tell(new RunEvent.Started(step, number, now));
            }
            if (job.over) {
              tell(ended(attempt, job));
            }
          }
        }
        case RunDecision.Cancel(int step, int number) -> {
          Job job = jobs.computeIfAbsent(new Attempt(step, number), added -> new Job());
          job.canceled = true;
        }
        case RunDecision.Collect(int step, int number) -> {
          if (chance.nextInt(10) == 0 && !healed) {
            tell(new RunEvent.NotCollected(step, number, "no room"));
          } else {
            tell(new RunEvent.Collected(step, number, List.of()));
          }
        }
        case RunDecision.WakeAt(Instant at) -> wake = at;
        case RunDecision.Finish() -> {}
      }
    }
  }
}
