package io.orrery.compute.reuse;

import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Submission;
import io.orrery.core.id.AttemptRef;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An attempt that lives in an environment. Guarded by itself. */
final class Tenant {
  private static final int MOST_MOVES = 3;

  private final AttemptRef ref;
  private final CompletableFuture<@Nullable Void> submitted = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
  private @Nullable Environment environment;
  private List<Integer> gpus = List.of();
  private @Nullable Submission submission;
  private Keepers.@Nullable Launch launch;
  private @Nullable Instant startedAt;
  private boolean canceled;
  private int moves;

  /** The end that its keeper told, while its environment may be going too; else null. */
  private Keepers.State.@Nullable Ended doubtful;

  /** The question of its environment that did not name it; 0 for none. */
  private long unnamed;

  private boolean ended;

  Tenant(AttemptRef ref) {
    this.ref = ref;
  }

  AttemptRef ref() {
    return ref;
  }

  /** What it is called in its environment. */
  String key() {
    return ref.trial().trial() + "." + ref.number();
  }

  /** Completes when it has its place for good, or will not have one. */
  CompletableFuture<@Nullable Void> submitted() {
    return submitted;
  }

  /** Completes when {@code Ended} has been told. */
  CompletableFuture<@Nullable Void> over() {
    return over;
  }

  /** It lives there from now on; whether it needs to live anywhere. */
  synchronized boolean settle(Environment here, List<Integer> devices) {
    environment = here;
    gpus = devices;
    return !ended;
  }

  /** Where it lives; null while it has no place. */
  synchronized @Nullable Environment environment() {
    return environment;
  }

  /** The devices that it is shown. */
  synchronized List<Integer> gpus() {
    return gpus;
  }

  /** From now on its environment may start it. */
  synchronized void launch(Submission made, Keepers.Launch with) {
    submission = made;
    launch = with;
  }

  /** What it is started with where it lives; null while it must not be, or need not be any more. */
  synchronized Keepers.@Nullable Launch launch() {
    if (ended || startedAt != null || launch == null) {
      return null;
    }
    return gpus.isEmpty()
        ? launch
        : launch.with(
            Map.of(
                "CUDA_VISIBLE_DEVICES",
                gpus.stream().map(String::valueOf).collect(Collectors.joining(","))));
  }

  /** What it was submitted as, if it may try another environment, which it may a few times. */
  synchronized @Nullable Submission again() {
    return ended || startedAt != null || canceled || ++moves > MOST_MOVES ? null : submission;
  }

  /** Its command runs. Whether that is news. */
  synchronized boolean start(Instant at) {
    boolean news = startedAt == null && !ended;
    startedAt = startedAt == null ? at : startedAt;
    // That it was not named before it ran means nothing.
    unnamed = 0;
    return news;
  }

  /** Whether an earlier question of its environment did not name it either. */
  synchronized boolean isMissing(long number, boolean named) {
    boolean missing = !named && (number == 0 || (unnamed > 0 && number > unnamed));
    unnamed = named ? 0 : unnamed == 0 ? number : unnamed;
    return missing;
  }

  synchronized boolean isStarted() {
    return startedAt != null;
  }

  /**
   * Holds an end back until its environment shows that it goes on, or ends.
   *
   * @see TenantLifecycle#told
   */
  synchronized void hold(Keepers.State.Ended end) {
    doubtful = end;
  }

  /** The end that is held back; null for none. */
  synchronized Keepers.State.@Nullable Ended held() {
    return ended ? null : doubtful;
  }

  synchronized void cancel() {
    canceled = true;
  }

  synchronized boolean isCanceled() {
    return canceled;
  }

  /** Whether this is its end, and not one more. */
  synchronized boolean end() {
    boolean news = !ended;
    ended = true;
    return news;
  }
}
