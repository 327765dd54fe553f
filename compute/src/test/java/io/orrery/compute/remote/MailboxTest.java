package io.orrery.compute.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformListener;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The facts that an attempt on a machine takes from its mailbox while others put news into it. */
class MailboxTest {
  private static final int ROUNDS = 100_000;
  private static final AttemptRef REF =
      new AttemptRef(new TrialRef(new ExperimentId("exp"), new TrialId("trial")), 1);
  private static final Instant BEGUN = Instant.parse("2026-01-01T12:00:00Z");
  private static final Keepers.State.Ended END = new Keepers.State.Ended(0, BEGUN, true, null);

  private static final Keepers KEEPERS = untouched(Keepers.class);

  @Test
  void aCancellationIsNotSeenWithoutTheStartThatWasToldBefore() throws Exception {
    startIsSeenWith(Mailbox::cancel, RemoteFacts::canceled);
  }

  @Test
  void anEndIsNotSeenWithoutTheStartThatWasToldBefore() throws Exception {
    startIsSeenWith(
        mailbox -> mailbox.ended(REF, "worker-0", END), facts -> facts.keeper().isEnded());
  }

  /** Tells a start and then the next, while another thread looks until it sees the next. */
  private static void startIsSeenWith(Consumer<Mailbox> tellsNext, Predicate<RemoteFacts> seesNext)
      throws Exception {
    AtomicReference<Mailbox> present = new AtomicReference<>(mailbox());
    CompletableFuture<Integer> missed =
        CompletableFuture.supplyAsync(() -> {
          int count = 0;
          for (int round = 0; round < ROUNDS; round++) {
            RemoteFacts facts = facts(present.get());
            while (!seesNext.test(facts)) {
              Thread.yield();
              facts = facts(present.get());
            }
            count += facts.keeper().isStarted() ? 0 : 1;
            present.set(mailbox());
          }
          return count;
        });
    Mailbox told = null;
    while (!missed.isDone()) {
      Mailbox next = present.get();
      if (next == told) {
        Thread.yield();
        continue;
      }
      next.started(REF, "worker-0", true, BEGUN);
      tellsNext.accept(next);
      told = next;
    }
    assertThat(missed.get(1, TimeUnit.MINUTES)).as("starts that were missed").isZero();
  }

  private static RemoteFacts facts(Mailbox mailbox) {
    return mailbox.facts(true, true, null);
  }

  private static Mailbox mailbox() {
    AttemptOwnership ownership = new AttemptOwnership(KEEPERS, REF.trial().experiment());
    PlatformListener listener = untouched(PlatformListener.class);
    return new Mailbox(REF, KEEPERS, new AttemptEvents(REF, KEEPERS, listener, ownership));
  }

  /** Neither keepers nor listeners are called for what a mailbox has heard. */
  private static <T> T untouched(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            }));
  }
}
