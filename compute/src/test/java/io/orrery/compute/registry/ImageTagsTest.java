package io.orrery.compute.registry;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.registry.RegistryClient.Credentials;
import io.orrery.core.bus.contract.OldImages.FoundTags;
import io.orrery.core.digest.Sha256;
import io.orrery.core.image.ImageReference;
import io.orrery.core.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Looks for the tags of an image, and removes it, over a real server of HTTP. */
class ImageTagsTest {
  private static final Credentials ROBOT = new Credentials("robot", "right: password");
  private static final String ONE = digest("one");

  private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
  private final TreeMap<String, String> tags = new TreeMap<>();
  private final TreeMap<String, List<String>> indexes = new TreeMap<>();
  private Vertx vertx;
  private RegistryClient client;
  private HttpServer server;
  private int deletion = 202;
  private String refusal = "";
  private String listing = "";

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    client = new RegistryClient(vertx, InetAddress::isLoopbackAddress);
    server = success(vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"));
  }

  @AfterEach
  void stop() throws Exception {
    success(client.close());
    success(vertx.close());
  }

  private static String digest(String of) {
    return "sha256:" + Sha256.hex(of);
  }

  /** A registry with a token service, which has the tags and indexes of this test. */
  private void answer(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    asked.add(request.method() + " " + request.uri());
    String reference = request.path().replaceFirst(".*/", "");
    if (request.path().equals("/token")) {
      response.end("{\"token\": \"t0k3n\"}");
    } else if (!Objects.equals(request.getHeader("Authorization"), "Bearer t0k3n")) {
      response
          .setStatusCode(401)
          .putHeader(
              "WWW-Authenticate", "Bearer realm=\"http://" + request.authority() + "/token\"")
          .end();
    } else if (request.path().equals("/v2/vision/tool/tags/list")) {
      list(request);
    } else if (request.method() == HttpMethod.DELETE) {
      response.setStatusCode(deletion).end(refusal);
    } else if (indexes.containsKey(reference)) {
      response
          .putHeader("Content-Type", "application/vnd.oci.image.index.v1+json; charset=utf-8")
          .putHeader("Docker-Content-Digest", digest("index " + reference))
          .end(
              Json.write(
                  Map.of(
                      "manifests",
                      indexes.get(reference).stream()
                          .map(part -> Map.of("digest", part))
                          .toList())));
    } else {
      String digest = tags.get(reference);
      response
          .setStatusCode(digest == null ? 404 : 200)
          .putHeader("Content-Type", "application/vnd.oci.image.manifest.v1+json")
          .putHeader("Docker-Content-Digest", Objects.requireNonNullElse(digest, "none"))
          .end("{}");
    }
  }

  private void list(HttpServerRequest request) {
    if (!listing.isEmpty()) {
      request.response().end(listing);
      return;
    }
    List<String> all = new ArrayList<>(tags.keySet());
    all.addAll(indexes.keySet());
    String last = request.getParam("last", "");
    int most = Integer.parseInt(request.getParam("n"));
    List<String> page = all.stream().filter(tag -> tag.compareTo(last) > 0).sorted().toList();
    if (page.size() > most) {
      page = page.subList(0, most);
      request.response().putHeader("Link", "</v2/more>; rel=\"next\"");
    }
    request
        .response()
        .setStatusCode(all.isEmpty() ? 404 : 200)
        .end(Json.write(Map.of("name", "vision/tool", "tags", page)));
  }

  private ImageReference image() {
    return ImageReference.parse("127.0.0.1:" + server.actualPort() + "/vision/tool@" + ONE)
        .orElseThrow();
  }

  private Future<FoundTags> find() {
    return new ImageTags(client, image(), ROBOT).find();
  }

  private static void assertFails(Future<?> future, String reason) {
    assertThatThrownBy(
            () -> future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(RegistryException.class)
        .hasMessageContaining(reason)
        .hasMessageNotContaining(ROBOT.password());
  }

  @Test
  void allPagesOfTagsAreLookedAt() throws Exception {
    for (int i = 0; i < 250; i++) {
      tags.put("t%03d".formatted(i), i % 100 == 3 ? ONE : digest("other " + i));
    }

    assertThat(success(find()))
        .isEqualTo(new FoundTags(List.of("t003", "t103", "t203"), null, null));
    assertThat(asked.stream().filter(each -> each.contains("/tags/list")).distinct())
        .containsExactly(
            "GET /v2/vision/tool/tags/list?n=100",
            "GET /v2/vision/tool/tags/list?n=100&last=t099",
            "GET /v2/vision/tool/tags/list?n=100&last=t199");
  }

  @Test
  void anIndexThatHasItAsAPartIsNamed() throws Exception {
    tags.put("1", ONE);
    indexes.put("none", List.of(digest("two")));
    assertThat(success(find())).isEqualTo(new FoundTags(List.of("1"), null, null));

    indexes.put("all", List.of(digest("two"), ONE));
    assertThat(success(find())).isEqualTo(new FoundTags(List.of("1"), "all", null));
  }

  @Test
  void aRepositoryThatIsGoneHasNoTags() throws Exception {
    assertThat(success(find())).isEqualTo(new FoundTags(List.of(), null, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"no json", "{}", "[]", "{\"tags\": \"1\"}", "{\"tags\": [\"../../x\"]}"})
  void whatIsNoListOfTagsIsAFailureAndNotAnEmptyOne(String answer) {
    listing = answer;
    assertFails(find(), "answers no list of tags");
  }

  @Test
  void moreTagsThanAreLookedAtAreAFailure() {
    for (int i = 0; i <= ImageTags.MOST; i++) {
      tags.put("t%04d".formatted(i), digest("other"));
    }
    assertFails(find(), "more than 1000 tags of vision/tool");
  }

  @ParameterizedTest
  @CsvSource({"200", "202", "404"})
  void anImageIsRemovedByItsDigestWithTheRightToDo(int status) throws Exception {
    deletion = status;
    success(client.remove(image(), ROBOT));

    assertThat(asked)
        .contains(
            "DELETE /v2/vision/tool/manifests/" + ONE,
            "GET /token?scope=repository%3Avision%2Ftool%3Adelete&account=robot");
  }

  @Test
  void aRegistryThatDeletesNothingSaysWhoMayChangeThat() {
    deletion = 405;
    assertFails(client.remove(image(), ROBOT), "does not let images be deleted (status 405)");
    deletion = 400;
    refusal = "{\"errors\": [{\"code\": \"UNSUPPORTED\"}]}";
    assertFails(client.remove(image(), ROBOT), "storage.delete.enabled");
    refusal = "";
    assertFails(client.remove(image(), ROBOT), "answered with status 400");
    deletion = 403;
    assertFails(client.remove(image(), ROBOT), "refused the user robot (status 403)");
  }
}
