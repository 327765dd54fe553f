package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.orrery.core.json.Json;
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

/**
 * All objects of one type that are ours, as they are now, over a single watch. The informer lists,
 * watches, comes back after a loss and lists again when its version has expired (410); here is only
 * what it tells, cut down to what somebody reads: a full object is some twenty kilobytes, of which
 * a digest keeps a hundred bytes.
 *
 * @param <T> the digest; equal digests are no news
 */
final class Watch<T> implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 30;

  private final SharedIndexInformer<GenericKubernetesResource> informer;
  private final Map<String, Map<String, T>> digests = new ConcurrentHashMap<>();

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
    informer = resources.runnableInformer(0);
    informer.removeNamespaceIndex();
    informer.itemStore(new Versions());
    informer.exceptionHandler((started, failure) -> started);
    informer.addEventHandler(
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
            JsonNode status = Json.MAPPER.valueToTree(object.<Object>get("status"));
            T fresh = digest.apply(object.getMetadata(), status);
            T before =
                digests
                    .computeIfAbsent(job, name -> new ConcurrentHashMap<>(2))
                    .put(object.getMetadata().getName(), fresh);
            if (!fresh.equals(before)) {
              changed.accept(job);
            }
          }
        });
    try {
      informer.start().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      informer.close();
      throw e;
    }
  }

  /** The objects of a job, by name. */
  Map<String, T> of(String job) {
    return Map.copyOf(digests.getOrDefault(job, Map.of()));
  }

  /** Whether news come in. */
  boolean isLive() {
    return informer.isRunning() && informer.isWatching();
  }

  @Override
  public void close() {
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
