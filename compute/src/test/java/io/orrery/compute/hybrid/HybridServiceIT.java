package io.orrery.compute.hybrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.catalog.OnlyThese;
import io.orrery.compute.local.LocalServiceFactory;
import io.orrery.compute.local.LocalTrials;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent.Noted;
import io.orrery.compute.service.PlatformEvent.Waiting;
import io.orrery.compute.service.RecordingListener;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.Tenure;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceContract;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.trial.Parameters;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs the contract of every platform on a hybrid of two, and tests the sharing out. */
class HybridServiceIT extends TrainingServiceContract {
  private final Map<String, Object> one = new HashMap<>(Map.of("platform", "local", "name", "one"));
  private final Map<String, Object> two = new HashMap<>(Map.of("platform", "local", "name", "two"));

  @Override
  protected TrainingServiceSpec platform() {
    return new TrainingServiceSpec(
        "hybrid", new Parameters(Map.of("services", List.of(Map.copyOf(one), Map.copyOf(two)))));
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    return OnlyThese.closingAll(
        OnlyThese.of(surroundings, new LocalServiceFactory(), new HybridServiceFactory()),
        "hybrid");
  }

  @Override
  protected void lose(AttemptRef attempt) throws Exception {
    LocalTrials.lose(home(), attempt);
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws Exception {
    return LocalTrials.runs(home(), attempt);
  }

  private void holding(int each) throws Exception {
    one.put("capacity", each);
    two.put("capacity", each);
    done(service.cleanUp(EXPERIMENT));
    done(service.prepare(EXPERIMENT, job("true")));
  }

  private Stream<String> notes(AttemptRef attempt) {
    return listener.events(attempt).stream()
        .flatMap(event -> event instanceof Noted noted ? Stream.of(noted.note()) : Stream.of());
  }

  private boolean waits(AttemptRef attempt) {
    return listener.events(attempt).stream().anyMatch(Waiting.class::isInstance);
  }

  @Test
  void eachTrialSaysWhereItRunsAndWhy() throws Exception {
    List<AttemptRef> attempts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      attempts.add(submit(AWAIT_GO));
    }
    for (AttemptRef attempt : attempts) {
      Eventually.until("it says so", () -> notes(attempt).findAny().isPresent());
    }

    assertThat(attempts.stream().flatMap(this::notes))
        .hasSize(4)
        .anyMatch(note -> note.startsWith("runs on one: one has 0"))
        .anyMatch(note -> note.startsWith("runs on two: two has 0"));
    go();
    for (AttemptRef attempt : attempts) {
      assertThat(listener.ended(attempt).exitCode()).isZero();
    }
  }

  @Test
  void whenAllAreFullTheNextGoesWhereRoomComesFirst() throws Exception {
    holding(1);
    AttemptRef first = submit("sleep 300");
    AttemptRef second = submit("sleep 300");
    AttemptRef third = submit("exit 5");
    AttemptRef fourth = submit("exit 6");

    assertThat(waits(first) || waits(second)).isFalse();
    Eventually.until("they wait", () -> waits(third) && waits(fourth));
    assertThat(((Waiting) listener.events(third).getFirst()).reason())
        .isEqualTo("one is full with 1; two is full with 1");
    done(service.cancel(first));

    assertThat(listener.ended(third).exitCode()).isEqualTo(5);
    assertThat(listener.ended(fourth).exitCode()).isEqualTo(6);
    assertThat(listener.endedOf(second)).isEmpty();
  }

  @Test
  void oneThatWaitsForRoomCanBeTakenBackOrCanceled() throws Exception {
    holding(1);
    submit("sleep 300");
    submit("sleep 300");
    Submission back = submission("back", "exit 7");
    submit(back);
    AttemptRef never = submit("true");

    assertThat(done(service.withdraw(back.attempt()))).isTrue();
    done(service.cancel(never));

    assertThat(listener.endedOf(back.attempt())).isEmpty();
    assertThat(listener.ended(never).exitCode()).isNull();
    assertThat(done(service.adopt(List.of(back)))).containsExactly(back.attempt());
  }

  @Test
  void afterARestartEachIsFoundWhereItWasSentAndCounts() throws Exception {
    holding(1);
    Submission first = submission("first", AWAIT_GO + "exit 3");
    Submission second = submission("second", AWAIT_GO + "exit 4");
    Submission third = submission("third", "exit 5");
    submit(first);
    submit(second);
    submit(third);
    Eventually.until(
        "two run", () -> listener.started(first.attempt()) && listener.started(second.attempt()));

    restart();
    assertThat(done(service.adopt(List.of(first, second, third)))).containsExactly(third.attempt());
    submit(third);
    Eventually.until("the third waits", () -> waits(third.attempt()));
    go();

    assertThat(listener.ended(first.attempt()).exitCode()).isEqualTo(3);
    assertThat(listener.ended(second.attempt()).exitCode()).isEqualTo(4);
    assertThat(listener.ended(third.attempt()).exitCode()).isEqualTo(5);
  }

  @Test
  void oneThatWaitsWhenAnotherServerTakesOverIsSentByThat() throws Exception {
    Tenure tenure = new Tenure();
    done(service.close());
    service = open(tenure.in(surroundings()));
    holding(1);
    Submission first = submission("first", AWAIT_GO + "exit 3");
    Submission second = submission("second", AWAIT_GO + "exit 4");
    Submission third = submission("third", "echo run >>runs; exit 5");
    submit(first);
    submit(second);
    submit(third);
    Eventually.until("the third waits", () -> waits(third.attempt()));

    tenure.end();
    done(service.leave(EXPERIMENT));
    TrainingService before = service;
    RecordingListener toldBefore = listener;
    listener = new RecordingListener();
    service = open(surroundings());
    assertThat(done(service.adopt(List.of(first, second, third)))).containsExactly(third.attempt());
    assertThatThrownBy(() -> done(before.submit(third)))
        .hasMessageContaining("another server owns");
    submit(third);
    go();

    assertThat(listener.ended(first.attempt()).exitCode()).isEqualTo(3);
    assertThat(listener.ended(third.attempt()).exitCode()).isEqualTo(5);
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
    assertThat(toldBefore.events(third.attempt())).allMatch(Waiting.class::isInstance);
    done(before.close());
  }

  @Test
  void oneThatNeverCameGoesWhereItWasSentBefore() throws Exception {
    HybridFiles files = new HybridFiles(home());
    Submission submission = submission("sent", "true");
    files.place(submission.attempt(), new HybridFiles.Place("two"));

    restart();
    done(service.prepare(EXPERIMENT, job("true")));
    assertThat(done(service.adopt(List.of(submission)))).containsExactly(submission.attempt());
    submit(submission);

    assertThat(listener.ended(submission.attempt()).exitCode()).isZero();
    assertThat(files.place(submission.attempt())).isEqualTo(new HybridFiles.Place("two"));
  }
}
