package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.orrery.core.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * Reads what watches tell in one pass, and keeps of an object what {@link Watch} looks at: some of
 * its metadata, and its status as a tree. The rest, nine tenths of the text, is passed over; read
 * as the library does, into a tree and from that into maps, it is the greater part of what a job
 * costs. With the library's own models it would be written and read once more.
 *
 * <p>Everything else, refusals within a stream among it, is read by the library.
 */
final class LeanSerialization extends KubernetesSerialization {
  private static final String ERROR = "ERROR";

  LeanSerialization() {
    super(new ObjectMapper(), false);
    registerKubernetesResource(Status.class);
  }

  @Override
  public <T> T unmarshal(String text, Class<T> type) {
    WatchEvent event = type == WatchEvent.class ? event(text) : null;
    return event == null ? super.unmarshal(text, type) : type.cast(event);
  }

  /** Null for what is not a change of an object. */
  private static @Nullable WatchEvent event(String text) {
    try {
      Skim skim = new Skim(text);
      String type = null;
      GenericKubernetesResource object = null;
      if (!skim.enter()) {
        return null;
      }
      for (String key = skim.key(); key != null; key = skim.key()) {
        switch (key) {
          case "type" -> type = skim.text();
          case "object" -> object = object(skim);
          default -> skim.skip();
        }
      }
      return type == null || type.equals(ERROR) || object == null
          ? null
          : new WatchEvent(object, type);
    } catch (Skim.MalformedException | ProblemException malformed) {
      return null;
    }
  }

  /** Null for what has no metadata. */
  private static @Nullable GenericKubernetesResource object(Skim skim) {
    if (!skim.enter()) {
      skim.skip();
      return null;
    }
    GenericKubernetesResource object = new GenericKubernetesResource();
    ObjectMeta metadata = null;
    for (String key = skim.key(); key != null; key = skim.key()) {
      switch (key) {
        case "apiVersion" -> object.setApiVersion(skim.text());
        case "kind" -> object.setKind(skim.text());
        case "metadata" -> metadata = metadata(skim);
        case Watch.STATUS -> object.setAdditionalProperty(key, skim.tree());
        default -> skim.skip();
      }
    }
    object.setMetadata(metadata);
    return metadata == null ? null : object;
  }

  private static @Nullable ObjectMeta metadata(Skim skim) {
    if (!skim.enter()) {
      skim.skip();
      return null;
    }
    ObjectMeta metadata = new ObjectMeta();
    for (String key = skim.key(); key != null; key = skim.key()) {
      switch (key) {
        case "name" -> metadata.setName(skim.text());
        case "namespace" -> metadata.setNamespace(skim.text());
        case "uid" -> metadata.setUid(skim.text());
        case "resourceVersion" -> metadata.setResourceVersion(skim.text());
        case "deletionTimestamp" -> metadata.setDeletionTimestamp(skim.text());
        case "labels" -> metadata.setLabels(skim.texts());
        case "annotations" -> metadata.setAnnotations(skim.texts());
        default -> skim.skip();
      }
    }
    return metadata;
  }
}
