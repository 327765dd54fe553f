package io.orrery.tuner.host;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Makes tuners that note what they are told, and throw or wait when a test wants them to. */
final class ScriptedTuner implements TunerFactory {
  /** What each tuner was told, in order; one list for each that was made. */
  final List<List<String>> lives = Collections.synchronizedList(new ArrayList<>());

  /** How many of the next questions go wrong. */
  final AtomicInteger faults = new AtomicInteger();

  /** What going wrong means. */
  volatile Runnable fault =
      () -> {
        throw new IllegalStateException("scripted fault");
      };

  /** The value that the next suggestion gets instead of its number, once. */
  final AtomicReference<@Nullable Object> odd = new AtomicReference<>();

  /** The threads that worked. */
  final Set<String> threads = Collections.synchronizedSet(new HashSet<>());

  /** Holds back suggestions until it is open. */
  volatile CountDownLatch gate = new CountDownLatch(0);

  @Override
  public Description description() {
    return new Description(
        "Scripted",
        List.of(),
        "Does as it is told.",
        Set.copyOf(Description.ALL_TYPES),
        List.of(Options.SEED),
        3);
  }

  @Override
  public Tuner open(Setting setting) {
    List<String> life = Collections.synchronizedList(new ArrayList<>());
    lives.add(life);
    return new Noting(life);
  }

  private final class Noting implements Tuner {
    private final List<String> life;

    Noting(List<String> life) {
      this.life = life;
    }

    @Override
    public Suggestions suggest(int count, long firstNumber) {
      threads.add(Thread.currentThread().getName());
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      fault();
      life.add("suggest " + firstNumber + "+" + count);
      return new Suggestions(
          LongStream.range(firstNumber, firstNumber + count)
              .mapToObj(
                  n -> new Suggestion(Long.toString(n), new Parameters(Map.of("p", value(n)))))
              .toList(),
          false);
    }

    private Object value(long number) {
      Object instead = odd.getAndSet(null);
      return instead == null ? number : instead;
    }

    @Override
    public void remember(Suggestion suggestion) {
      threads.add(Thread.currentThread().getName());
      life.add("remember " + suggestion.parameterId());
    }

    @Override
    public void learn(Result result) {
      fault();
      life.add("learn " + result.parameterId() + "=" + result.value());
    }

    @Override
    public boolean fits(Parameters parameters) {
      return parameters.values().containsKey("p");
    }

    private void fault() {
      if (faults.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        fault.run();
      }
    }
  }
}
