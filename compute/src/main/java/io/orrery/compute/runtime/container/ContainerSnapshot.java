package io.orrery.compute.runtime.container;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.service.ImageLogin;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Workloads.SnapshotTaken;
import io.orrery.core.image.ImageReference;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the files of a container as an image, and pushes it. The image starts as the one of the
 * container does: variables that the container was given, among them secrets, its command and its
 * labels are not in it. Blocks. Thread safe.
 */
final class ContainerSnapshot {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerSnapshot.class);
  private static final Duration QUICK = Duration.ofSeconds(20);
  private static final Duration COMMIT = Duration.ofMinutes(10);

  /** Of two snapshots with one target, one is pushed at a time. */
  private static final List<ReentrantLock> PUSHES =
      Stream.generate(ReentrantLock::new).limit(64).toList();

  private final EngineClient client;
  private final ImageLogins logins;
  private final boolean namesAll;

  ContainerSnapshot(EngineClient client, ImageLogins logins) {
    this(client, logins, false);
  }

  /**
   * @param namesAll whether images are named for their push on Podman too, as Docker needs it
   */
  ContainerSnapshot(EngineClient client, ImageLogins logins, boolean namesAll) {
    this.client = client;
    this.logins = logins;
    this.namesAll = namesAll;
  }

  /**
   * Takes one.
   *
   * @param target the name that it is pushed under
   * @param project with whose account it is pushed
   */
  SnapshotTaken take(String container, String target, ProjectName project) throws IOException {
    ImageReference image = ImageReference.parse(target).orElseThrow();
    JsonNode found = get("/containers/" + container + "/json");
    JsonNode given = found.path("Config");
    JsonNode base = get("/images/" + found.path("Image").asText() + "/json").path("Config");
    String name = image.host() + "/" + image.repository();
    String tag = Objects.requireNonNullElse(image.tag(), "latest");
    StringBuilder path = new StringBuilder("/commit?container=").append(container);
    path.append("&pause=true");
    for (String change : changes(given, base)) {
      path.append("&changes=").append(EngineClient.encoded(change));
    }
    String id =
        call(HttpMethod.POST, path.toString(), Json.MAPPER.createObjectNode(), COMMIT)
            .path("Id")
            .asText();
    try {
      JsonNode made = get("/images/" + id + "/json");
      requireClean(given, base, made.path("Config"));
      String login =
          ContainerEngine.await(logins.find(project, target)).map(ImageLogin::header).orElse(null);
      return new SnapshotTaken(pushed(id, name, tag, login), made.path("Size").asLong());
    } finally {
      forget(id);
    }
  }

  /** The digest that the engine tells; null when it tells none, as Podman does. */
  private @Nullable String pushed(String id, String name, String tag, @Nullable String login)
      throws IOException {
    ReentrantLock pushing = PUSHES.get(Math.floorMod((name + ":" + tag).hashCode(), PUSHES.size()));
    pushing.lock();
    try {
      if (!namesAll && ContainerEngine.await(client.isPodman())) {
        // By its id: another server, or a program, may have an image of the name on the engine.
        String path =
            "/images/%s/push?quiet=true&destination=%s"
                .formatted(id, EngineClient.encoded(name + ":" + tag));
        ContainerEngine.await(client.callPodman(HttpMethod.POST, path, null, login, COMMIT));
        return null;
      }
      return named(id, name, tag, login);
    } finally {
      pushing.unlock();
    }
  }

  /**
   * Docker pushes what has a name: it is that of the target for the time of the push alone, and
   * then again that of the image that had it.
   */
  private @Nullable String named(String id, String name, String tag, @Nullable String login)
      throws IOException {
    String both = name + ":" + tag;
    String before = isThere(both) ? get("/images/" + both + "/json").path("Id").asText() : null;
    tag(id, name, tag);
    try {
      return push(name, tag, login);
    } finally {
      if (before == null) {
        forget(both);
      } else {
        tag(before, name, tag);
      }
    }
  }

  private void tag(String id, String name, String tag) throws IOException {
    call(
        HttpMethod.POST,
        "/images/%s/tag?repo=%s&tag=%s"
            .formatted(id, EngineClient.encoded(name), EngineClient.encoded(tag)),
        null,
        QUICK);
  }

  /** The instructions by which an image starts as the base does. Pure. */
  static List<String> changes(JsonNode given, JsonNode base) {
    List<String> changes = new ArrayList<>();
    Map<String, String> known = variables(base);
    variables(given)
        .forEach((name, value) -> {
          String before = known.getOrDefault(name, "");
          if (!value.equals(before)) {
            changes.add("ENV " + name + "=" + before);
          }
        });
    given
        .path("Labels")
        .fieldNames()
        .forEachRemaining(label -> {
          if (!base.path("Labels").has(label)) {
            changes.add("LABEL " + label + "=");
          }
        });
    for (String words : List.of("Cmd", "Entrypoint")) {
      if (!base.path(words).equals(given.path(words))) {
        JsonNode before = base.path(words);
        changes.add(
            words.toUpperCase(Locale.ROOT) + " " + (before.isArray() ? Json.write(before) : "[]"));
      }
    }
    if (!base.path("WorkingDir").equals(given.path("WorkingDir"))) {
      String before = base.path("WorkingDir").asText();
      changes.add("WORKDIR " + (before.isEmpty() ? "/" : before));
    }
    return changes;
  }

  private static Map<String, String> variables(JsonNode config) {
    Map<String, String> all = new LinkedHashMap<>();
    for (JsonNode each : config.path("Env")) {
      String text = each.asText();
      int equals = text.indexOf('=');
      all.put(
          equals < 0 ? text : text.substring(0, equals),
          equals < 0 ? "" : text.substring(equals + 1));
    }
    return all;
  }

  /** An engine that does not do as it is told must not publish a secret. */
  private static void requireClean(JsonNode given, JsonNode base, JsonNode made) {
    Map<String, String> has = variables(made);
    Map<String, String> known = variables(base);
    variables(given)
        .forEach((name, value) -> {
          boolean own = !value.isEmpty() && !value.equals(known.get(name));
          if (own && value.equals(has.get(name))) {
            throw new Problem.Broken(
                    "the engine has put the variable %s of the program into the image, which was"
                            .formatted(name)
                        + " not pushed")
                .toException();
          }
        });
  }

  private @Nullable String push(String name, String tag, @Nullable String login)
      throws IOException {
    AtomicReference<@Nullable String> digest = new AtomicReference<>();
    ContainerEngine.await(
        client
            .open(
                HttpMethod.POST,
                "/images/" + name + "/push?tag=" + EngineClient.encoded(tag),
                login)
            .compose(response ->
                ImagePulls.read(
                    response,
                    progress -> {
                      String told = progress.at("/aux/Digest").asText();
                      if (!told.isEmpty()) {
                        digest.set(told);
                      }
                    })));
    return digest.get();
  }

  private void forget(String image) {
    try {
      call(HttpMethod.DELETE, "/images/" + image, null, COMMIT);
    } catch (IOException e) {
      // Engines delete an image with its last name, and say so in several ways.
      if (isThere(image)) {
        LOG.warn("could not delete image {}: {}", image, e.getMessage());
      }
    }
  }

  private boolean isThere(String image) {
    try {
      get("/images/" + image + "/json");
      return true;
    } catch (EngineException e) {
      return !e.isAbsence();
    } catch (IOException e) {
      return true;
    }
  }

  private JsonNode get(String path) throws IOException {
    return call(HttpMethod.GET, path, null, QUICK);
  }

  private JsonNode call(HttpMethod method, String path, @Nullable JsonNode body, Duration limit)
      throws IOException {
    return ContainerEngine.await(client.call(method, path, body, limit));
  }
}
