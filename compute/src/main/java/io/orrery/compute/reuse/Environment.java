package io.orrery.compute.reuse;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.StoredJob;
import io.orrery.core.id.AttemptRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An environment with its tenants. Guarded by itself. */
final class Environment {
  private final AttemptRef ref;
  private final JobSpec job;
  private final EnvironmentTenancy tenancy;
  private final JsonNode site;
  private final CompletableFuture<@Nullable Void> open = new CompletableFuture<>();
  private final Map<AttemptRef, Tenant> tenants = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();
  private boolean running;

  /** Whether it may have started a tenant. */
  private boolean heard;

  /** Whether its state is unknown. */
  private boolean away;

  private boolean closing;
  private @Nullable String waits;
  private long asked;
  private @Nullable Instant emptySince;

  /**
   * @param ref as the platform knows it
   * @param job of its experiment
   * @param now when it was made
   */
  Environment(AttemptRef ref, JobSpec job, EnvironmentTenancy tenancy, Instant now) {
    this.ref = ref;
    this.job = job;
    this.tenancy = tenancy;
    this.site = ReuseSettings.site(job);
    this.emptySince = now;
  }

  AttemptRef ref() {
    return ref;
  }

  JobSpec job() {
    return job;
  }

  /** Whether it is where trials of a job run. */
  boolean isAt(JsonNode where) {
    return site.equals(where);
  }

  /** Whether it is where another one is. */
  boolean isBeside(Environment other) {
    return isAt(other.site);
  }

  EnvironmentTenancy tenancy() {
    return tenancy;
  }

  /** Completes when the platform has it, or will not have it. */
  CompletableFuture<@Nullable Void> open() {
    return open;
  }

  /**
   * Gives a tenant a place.
   *
   * @return whether there was one
   */
  synchronized boolean admit(Tenant tenant) {
    if (free() == 0) {
      return false;
    }
    take(tenant);
    return true;
  }

  /** How many more it would take. */
  synchronized int free() {
    return closing || away ? 0 : Math.max(0, tenancy.places() - tenants.size());
  }

  /** Gives a tenant a place, whether there is one or not. */
  synchronized void take(Tenant tenant) {
    take(tenant, freest());
  }

  /** Gives a tenant the place that it has had before. */
  synchronized void take(Tenant tenant, List<Integer> gpus) {
    if (tenant.settle(this, gpus)) {
      tenants.put(tenant.ref(), tenant);
      emptySince = null;
    }
  }

  /** The GPUs for one more tenant: those with the fewest, in their order. */
  private List<Integer> freest() {
    int[] load = new int[tenancy.gpus()];
    tenants.values().stream().flatMap(tenant -> tenant.gpus().stream()).forEach(gpu -> load[gpu]++);
    return IntStream.range(0, load.length)
        .boxed()
        .sorted(Comparator.comparingInt(gpu -> load[gpu]))
        .limit(tenancy.gpusOfTrial())
        .sorted()
        .toList();
  }

  synchronized void leave(Tenant tenant, Instant now) {
    tenants.remove(tenant.ref(), tenant);
    emptySince = tenants.isEmpty() ? now : null;
  }

  /** Takes a tenant out again; whether it certainly has not started it, and never will. */
  synchronized boolean letGo(Tenant tenant, Instant now) {
    if (running || heard || tenants.get(tenant.ref()) != tenant) {
      return false;
    }
    leave(tenant, now);
    return true;
  }

  synchronized List<Tenant> tenants() {
    return List.copyOf(tenants.values());
  }

  /** It has taken its place with the server, and may have asked for work. */
  synchronized void hear() {
    heard = true;
  }

  /** Hears a question; whether no later one of its has been heard. */
  synchronized boolean isLatest(long number) {
    heard = true;
    boolean latest = number >= asked;
    // A keeper that asks anew is there; one that is heard again may have asked before it went away.
    away &= number <= asked;
    asked = Math.max(asked, number);
    return latest;
  }

  synchronized boolean isRunning() {
    return running;
  }

  synchronized void runs() {
    running = true;
    away = false;
    waits = null;
  }

  /** Takes no tenants until it runs again, or asks. */
  synchronized void goesAway() {
    away = true;
  }

  /** Why it does not run yet; null when that is not known. */
  synchronized @Nullable String waits() {
    return running ? null : waits;
  }

  synchronized void waits(String reason) {
    waits = reason;
  }

  synchronized void note(String note) {
    notes.add(note);
  }

  /** What people should know of it. */
  synchronized List<String> notes() {
    return List.copyOf(notes);
  }

  /**
   * Takes no tenants any more, if it has been empty since then.
   *
   * @return whether it is to end
   */
  synchronized boolean closeIfEmptySince(Instant then) {
    boolean idle = !closing && emptySince != null && !emptySince.isAfter(then);
    closing |= idle;
    return idle;
  }

  /** It could not be ended: it may as well go on. */
  synchronized void reopen(Instant now) {
    closing = false;
    emptySince = tenants.isEmpty() ? now : null;
  }

  /** Takes no tenants any more. */
  synchronized void close() {
    closing = true;
  }

  EnvironmentRegistry.Entry entry() {
    return new EnvironmentRegistry.Entry(
        new StoredJob(job),
        tenants().stream()
            .map(tenant ->
                new EnvironmentRegistry.Tenant(
                    tenant.ref().trial().trial(), tenant.ref().number(), tenant.gpus()))
            .toList());
  }
}
