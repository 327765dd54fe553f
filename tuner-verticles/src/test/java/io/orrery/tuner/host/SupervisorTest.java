package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SupervisorTest {
  /** As many as gather while a tuner thinks, of which it knows all when it has thought. */
  private static final int MANY = 50_000;

  @Test
  void newsThatAreKnownAlreadyAreAllAnsweredHoweverManyHaveGathered() {
    Supervisor<String> supervisor =
        new Supervisor<>(
            "the tuner",
            "its tuner",
            () -> Future.succeededFuture("tuner"),
            gone -> {},
            new SteppedClock(),
            new Workers(1, 4, Duration.ofSeconds(5), Duration.ofSeconds(60), 3, 2));
    supervisor.begin();
    Promise<String> thinking = Promise.promise();
    Future<String> first = supervisor.tell(tuner -> thinking.future(), "later");
    List<Future<String>> others = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      others.add(supervisor.tell(tuner -> Future.succeededFuture("known"), "later"));
    }

    thinking.complete("learnt");

    assertThat(first.result()).isEqualTo("learnt");
    assertThat(others).allMatch(answer -> answer.isComplete() && "known".equals(answer.result()));
  }
}
