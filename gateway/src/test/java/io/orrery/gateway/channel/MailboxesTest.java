package io.orrery.gateway.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.VirtualClock;
import io.orrery.gateway.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MailboxesTest {
  private final VirtualClock clock = new VirtualClock(Samples.THEN);
  private final Mailboxes mailboxes = new Mailboxes(clock);
  private final List<String> woken = new ArrayList<>();

  @Test
  void whatWasAskedIsTakenAsOften() {
    mailboxes.ask(Samples.ATTEMPT);
    mailboxes.ask(Samples.ATTEMPT);

    assertThat(mailboxes.take(Samples.ATTEMPT)).isTrue();
    assertThat(mailboxes.take(Samples.ATTEMPT)).isTrue();
    assertThat(mailboxes.take(Samples.ATTEMPT)).isFalse();
    assertThat(mailboxes.size()).isZero();
  }

  @Test
  void aLaterPollTakesTheEarlierOnesPlace() {
    mailboxes.await(Samples.ATTEMPT, () -> woken.add("first"));
    mailboxes.await(Samples.ATTEMPT, () -> woken.add("second"));
    assertThat(woken).containsExactly("first");

    mailboxes.ask(Samples.ATTEMPT);
    assertThat(woken).containsExactly("first", "second");
  }

  @Test
  void aPollThatLeavesLeavesNothingBehind() {
    Runnable wake = () -> woken.add("woken");
    mailboxes.await(Samples.ATTEMPT, wake);

    mailboxes.leave(Samples.ATTEMPT, wake);

    assertThat(mailboxes.size()).isZero();
  }

  @Test
  void whatIsNeverFetchedIsSweptAwayAndThenNoTimerRuns() {
    mailboxes.ask(Samples.ATTEMPT);

    clock.advance(Duration.ofMinutes(29));
    assertThat(mailboxes.size()).isEqualTo(1);
    clock.advance(Duration.ofMinutes(10));
    assertThat(mailboxes.size()).isZero();
    clock.advance(Duration.ofMinutes(5));
    assertThat(clock.pending()).isZero();
  }

  @Test
  void aTrialThatOnlyAsksIsHeldBack() {
    for (int asked = 0; asked < 64; asked++) {
      mailboxes.ask(Samples.ATTEMPT);
    }

    assertThatThrownBy(() -> mailboxes.ask(Samples.ATTEMPT))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> assertThat(refused.problem()).isInstanceOf(Problem.Busy.class));
  }

  @Test
  void closingWakesEveryPoll() {
    mailboxes.await(Samples.ATTEMPT, () -> woken.add("woken"));

    mailboxes.close();

    assertThat(woken).containsExactly("woken");
    assertThat(mailboxes.size()).isZero();
    assertThat(clock.pending()).isZero();
  }
}
