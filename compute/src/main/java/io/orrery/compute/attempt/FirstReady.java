package io.orrery.compute.attempt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits for those among which an experiment's attempts are shared out. One is enough to begin with,
 * but the others are given a moment, or it would get all of the first attempts.
 *
 * @param <W> why one does not come
 */
public final class FirstReady<W> {
  private final BlockingQueue<Answer<W>> answers = new LinkedBlockingQueue<>();

  private record Answer<W>(int number, @Nullable W why) {}

  /**
   * One has come, or will not. To be told once of each, from any thread.
   *
   * @param number of the one, from 0
   * @param why it does not come; null when it has
   */
  public void answered(int number, @Nullable W why) {
    answers.add(new Answer<>(number, why));
  }

  /**
   * Blocks until one has come and the others have, will not, or have had their time.
   *
   * @param count how many there are
   * @param moment how long to wait for another one after one has come
   * @return why none has come, of each in the order of their numbers; empty when one has
   */
  public List<W> await(int count, Duration moment) throws InterruptedException {
    List<Answer<W>> refusals = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean any = refusals.size() < i;
      Answer<W> answer =
          any ? answers.poll(moment.toMillis(), TimeUnit.MILLISECONDS) : answers.take();
      if (answer == null) {
        return List.of();
      }
      if (answer.why() != null) {
        refusals.add(answer);
      }
    }
    if (refusals.size() < count) {
      return List.of();
    }
    return refusals.stream()
        .sorted(Comparator.comparingInt(Answer::number))
        .map(answer -> Objects.requireNonNull(answer.why()))
        .toList();
  }
}
