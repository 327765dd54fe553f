package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.orrery.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All objects of one type that are ours, as they are now, over a single watch. The informer lists,
 * watches, comes back after a loss and lists again when it is told within the stream that its
 * version has expired; here is what it tells, cut down to what somebody reads: a full object is
 * some twenty kilobytes, of which a digest keeps a hundred bytes. To an answer of 410 instead of a
 * stream the informer knows no other way than to ask again: so one that has been lost for long is
 * replaced by another, which lists.
 *
 * @param <T> the digest; equal digests are no news
 */
final class Watch<T> implements AutoCloseable {
  /** The part of an object that controllers write. */
  static final String STATUS = "status";

  private static final long PATIENCE_SECONDS = 30;

  /** Objects that a list brings at a time, so that thousands are never in memory whole. */
  private static final long PAGE = 500;

  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  private final Informable<GenericKubernetesResource> resources;
  private final ResourceEventHandler<GenericKubernetesResource> handler;

  /** Outlives informers, so that the next one tells what went while nobody watched. */
  private final Versions versions = new Versions();

  private final Map<String, Map<String, T>> digests = new ConcurrentHashMap<>();
  private volatile SharedIndexInformer<GenericKubernetesResource> informer;
  private @Nullable Instant lostSince;
  private boolean closed;

  /**
   * Lists, and goes on from there; blocks until the first list is in.
   *
   * @param digest of an object's metadata and its status, which is missing or null while it is new
   * @param group gives the name of the job that an object belongs to
   * @param changed told the name of a job of which something changed; must not block
   */
  Watch(
      Informable<GenericKubernetesResource> resources,
      Function<ObjectMeta, String> group,
      BiFunction<ObjectMeta, JsonNode, T> digest,
      Consumer<String> changed)
      throws InterruptedException, ExecutionException, TimeoutException {
    this.resources = resources;
    this.handler =
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(GenericKubernetesResource object) {
            put(object);
          }

          @Override
          public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource object) {
            put(object);
          }

          @Override
          public void onDelete(GenericKubernetesResource object, boolean unsure) {
            String job = group.apply(object.getMetadata());
            digests.computeIfPresent(
                job,
                (name, all) -> {
                  all.remove(object.getMetadata().getName());
                  return all.isEmpty() ? null : all;
                });
            changed.accept(job);
          }

          private void put(GenericKubernetesResource object) {
            String job = group.apply(object.getMetadata());
            T fresh = digest.apply(object.getMetadata(), status(object));
            T before =
                digests
                    .computeIfAbsent(job, name -> new ConcurrentHashMap<>(2))
                    .put(object.getMetadata().getName(), fresh);
            if (!fresh.equals(before)) {
              changed.accept(job);
            }
          }
        };
    this.informer = begin();
  }

  private SharedIndexInformer<GenericKubernetesResource> begin()
      throws InterruptedException, ExecutionException, TimeoutException {
    SharedIndexInformer<GenericKubernetesResource> fresh =
        resources.withLimit(PAGE).runnableInformer(0);
    fresh.removeNamespaceIndex();
    fresh.itemStore(versions);
    fresh.exceptionHandler((started, failure) -> started);
    fresh.addEventHandler(handler);
    try {
      fresh.start().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return fresh;
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      fresh.close();
      throw e;
    }
  }

  /** What a list brings is read by the library, what is watched has its tree already. */
  private static JsonNode status(GenericKubernetesResource object) {
    Object status = object.getAdditionalProperties().get(STATUS);
    return status instanceof JsonNode tree ? tree : Json.MAPPER.valueToTree(status);
  }

  /** Begins again when news have been missing for so long; blocks until the list is in. */
  synchronized void reviveAfter(Duration patience, Instant now) {
    if (closed || isLive()) {
      lostSince = null;
    } else if (lostSince == null) {
      lostSince = now;
    } else if (now.isAfter(lostSince.plus(patience))) {
      informer.close();
      try {
        informer = begin();
        lostSince = null;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException e) {
        LOG.info("A lost watch could not begin again yet: {}", e.toString());
      }
    }
  }

  /** The objects of a job, by name. */
  Map<String, T> of(String job) {
    return Map.copyOf(digests.getOrDefault(job, Map.of()));
  }

  /** Whether news come in. */
  boolean isLive() {
    SharedIndexInformer<GenericKubernetesResource> now = informer;
    return now.isRunning() && now.isWatching();
  }

  @Override
  public synchronized void close() {
    closed = true;
    informer.close();
  }

  /** What the informer itself needs to find changes: names and versions. */
  private static final class Versions implements ItemStore<GenericKubernetesResource> {
    private final Map<String, GenericKubernetesResource> items = new ConcurrentHashMap<>();

    @Override
    public String getKey(GenericKubernetesResource object) {
      return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    @Override
    public @Nullable GenericKubernetesResource put(String key, GenericKubernetesResource object) {
      return items.put(key, trimmed(object));
    }

    @Override
    public @Nullable GenericKubernetesResource remove(String key) {
      return items.remove(key);
    }

    @Override
    public Stream<String> keySet() {
      return items.keySet().stream();
    }

    @Override
    public Stream<GenericKubernetesResource> values() {
      return items.values().stream();
    }

    @Override
    public int size() {
      return items.size();
    }

    @Override
    public @Nullable GenericKubernetesResource get(String key) {
      return items.get(key);
    }

    @Override
    public boolean isFullState() {
      return false;
    }

    private static GenericKubernetesResource trimmed(GenericKubernetesResource object) {
      ObjectMeta full = object.getMetadata();
      ObjectMeta meta = new ObjectMeta();
      meta.setName(full.getName());
      meta.setNamespace(full.getNamespace());
      meta.setUid(full.getUid());
      meta.setResourceVersion(full.getResourceVersion());
      meta.setLabels(full.getLabels());
      GenericKubernetesResource trimmed = new GenericKubernetesResource();
      trimmed.setApiVersion(object.getApiVersion());
      trimmed.setKind(object.getKind());
      trimmed.setMetadata(meta);
      return trimmed;
    }
  }
}
