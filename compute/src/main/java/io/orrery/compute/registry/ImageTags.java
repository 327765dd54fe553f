package io.orrery.compute.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.registry.RegistryClient.Answer;
import io.orrery.compute.registry.RegistryClient.Credentials;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.contract.OldImages.FoundTags;
import io.orrery.core.image.ImageReference;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A look for the tags under which a registry has an image; used for one look. */
final class ImageTags {
  /** The most tags of a repository that are looked at. */
  static final int MOST = 1_000;

  private static final int PAGE = 100;
  private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");

  private final RegistryClient client;
  private final ImageReference image;
  private final @Nullable Credentials account;
  private final List<String> all = new ArrayList<>();
  private final List<String> found = new ArrayList<>();
  private @Nullable String holder;

  /**
   * A look for an image.
   *
   * @param image with its digest
   * @param account null to ask without one
   */
  ImageTags(RegistryClient client, ImageReference image, @Nullable Credentials account) {
    this.client = client;
    this.image = image;
    this.account = account;
  }

  /**
   * Looks at all tags of the repository.
   *
   * @return fails with {@link RegistryException} when the registry does not tell, or there are more
   *     than {@link #MOST}
   */
  Future<FoundTags> find() {
    return AsyncLoop.pages(this::page)
        .compose(read -> AsyncLoop.inTurn(all, this::look))
        .map(looked -> new FoundTags(found, holder, null));
  }

  private Future<@Nullable String> page(@Nullable String last) {
    String query = "?n=" + PAGE + (last == null ? "" : "&last=" + last);
    return ask(HttpMethod.GET, image.tags() + query)
        .compose(answer -> {
          if (answer.status() == RegistryClient.NOT_FOUND) {
            // The registry has no such repository any more.
            return Future.succeededFuture();
          }
          if (answer.status() != RegistryClient.OK) {
            return Future.failedFuture(RegistryClient.refused(image.host(), account, answer));
          }
          return add(answer);
        });
  }

  /** Adds the tags of a page; the last of them when a further page follows. */
  private Future<@Nullable String> add(Answer answer) {
    JsonNode tags = json(answer).path("tags");
    List<String> added = new ArrayList<>();
    tags.forEach(tag -> added.add(tag.asText()));
    boolean readable = tags.isArray() || tags.isNull();
    if (!readable || !added.stream().allMatch(tag -> TAG.matcher(tag).matches())) {
      return Future.failedFuture(
          new RegistryException("%s answers no list of tags".formatted(image.host())));
    }
    all.addAll(added);
    if (all.size() > MOST) {
      return Future.failedFuture(
          new RegistryException(
              "%s has more than %d tags of %s, which are not looked at"
                  .formatted(image.host(), MOST, image.repository())));
    }
    return Future.succeededFuture(answer.more() && !added.isEmpty() ? added.getLast() : null);
  }

  /** The body of an answer; missing when it is no JSON. */
  private static JsonNode json(Answer answer) {
    try {
      return Json.parse(answer.body());
    } catch (ProblemException noJson) {
      return Json.MAPPER.missingNode();
    }
  }

  private Future<?> look(String tag) {
    return ask(HttpMethod.HEAD, image.manifest(tag))
        .compose(answer -> {
          if (answer.status() == RegistryClient.NOT_FOUND) {
            // It went while the others were looked at.
            return Future.succeededFuture();
          }
          String digest = answer.digest();
          if (answer.status() != RegistryClient.OK || digest == null) {
            return Future.failedFuture(RegistryClient.refused(image.host(), account, answer));
          }
          if (digest.equals(image.digest())) {
            found.add(tag);
            return Future.succeededFuture();
          }
          return isIndex(answer) ? lookInto(tag) : Future.succeededFuture();
        });
  }

  private static boolean isIndex(Answer answer) {
    return answer.type().endsWith(".index.v1+json") || answer.type().endsWith(".list.v2+json");
  }

  /** An index is pulled by its parts, so that none may be missing. */
  private Future<?> lookInto(String tag) {
    return ask(HttpMethod.GET, image.manifest(tag))
        .compose(answer -> {
          JsonNode parts = json(answer).path("manifests");
          if (!parts.isArray()) {
            return Future.failedFuture(
                new RegistryException(
                    "%s answers an index %s without parts".formatted(image.host(), tag)));
          }
          for (JsonNode part : parts) {
            if (part.path("digest").asText().equals(image.digest())) {
              holder = tag;
            }
          }
          return Future.succeededFuture();
        });
  }

  private Future<Answer> ask(HttpMethod method, String address) {
    return client.ask(method, address, image, account, "pull");
  }
}
