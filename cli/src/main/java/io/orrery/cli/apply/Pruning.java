package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.Resource;
import io.orrery.core.access.ProjectName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A search for objects that documents do not have any more: those of the caller, of the kinds that
 * the documents have, in the projects where they are. Projects, models and experiments are never
 * found, since they hold what cannot be made again; domains go with their services.
 */
final class Pruning {
  private static final Set<ObjectKind> KEPT =
      EnumSet.of(ObjectKind.PROJECT, ObjectKind.MODEL, ObjectKind.DOMAIN, ObjectKind.EXPERIMENT);

  private final Api api;

  Pruning(Api api) {
    this.api = api;
  }

  /** An object that no document has. */
  record Left(ObjectKind kind, String name) {}

  /**
   * Finds them.
   *
   * @param project of documents that name none; null for public
   * @return in the order in which they can be deleted
   */
  List<Left> find(List<Manifest> manifests, @Nullable String project) {
    Map<ObjectKind, Set<String>> projects = new EnumMap<>(ObjectKind.class);
    Set<String> kept = new HashSet<>();
    for (Manifest manifest : manifests) {
      kept.add(manifest.title());
      if (!KEPT.contains(manifest.kind())) {
        String written = manifest.document().root().path("project").asText("");
        String place =
            written.isEmpty() ? project == null ? ProjectName.PUBLIC.value() : project : written;
        projects.computeIfAbsent(manifest.kind(), kind -> new TreeSet<>()).add(place);
      }
    }
    String caller = api.get(Resource.of("me")).path("user").asText();
    List<Left> left = new ArrayList<>();
    projects.forEach((kind, places) ->
        places.forEach(place ->
            owned(kind, place, caller).stream()
                .map(item -> new Left(kind, item.path("name").asText()))
                .filter(one -> !kept.contains(kind.word() + "/" + one.name()))
                .forEach(left::add)));
    left.sort(Comparator.comparing(Left::kind).reversed());
    return left;
  }

  private List<JsonNode> owned(ObjectKind kind, String project, String caller) {
    Resource all = Resource.of(kind.collection()).with("project", project).with("owner", caller);
    return api.list(all, null).stream()
        .filter(item -> item.path("owner").asText().equals(caller))
        .filter(item -> item.path("project").asText().equals(project))
        .filter(item -> !item.path("builtIn").asBoolean())
        .toList();
  }
}
