package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.Caller;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.UserRole;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The files of people over HTTP, and what hostile people and programs try with them. */
@Timeout(120)
class WorkspaceIT {
  private static final String FILES = "/api/v1/files/ann";

  private EdgeServer edge;
  private Path ann;
  private Path secret;

  @BeforeEach
  void start() throws Exception {
    edge = EdgeServer.withUsers(Map.of("ann", person("ann"), "bob", person("bob")));
    ann = edge.workspaces.made("ann");
    secret = Files.writeString(edge.workspaces.made("bob").resolve("secret"), "of bob");
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  private static Caller person(String name) {
    return new Caller(
        name,
        UserRole.USER,
        Caller.Kind.PERSON,
        Map.of(ProjectName.PUBLIC, ProjectRole.MEMBER),
        false);
  }

  @Test
  void filesAreWrittenListedReadMovedAndDeleted() throws Exception {
    assertThat(put("/deep/er/a%20b.txt", "one").statusCode()).isEqualTo(201);
    assertThat(put("/deep/er/a%20b.txt", "second").statusCode()).isEqualTo(200);
    assertThat(ask("PUT", "/empty?kind=directory", "").statusCode()).isEqualTo(201);
    assertThat(ask("PUT", "/empty?kind=directory", "").statusCode()).isEqualTo(204);

    JsonNode root = EdgeServer.json(ask("GET", "", ""));
    assertThat(root.path("path").asText()).isEqualTo("/mnt/ann");
    assertThat(names(root)).containsExactly("deep:directory", "empty:directory");
    assertThat(root.path("quotaBytes").asLong()).isEqualTo(EdgeServer.WORKSPACE_BYTES);
    assertThat(names(EdgeServer.json(ask("GET", "/deep/er", "")))).containsExactly("a b.txt:file");
    assertThat(EdgeServer.json(ask("GET", "/", "")).path("items")).isEqualTo(root.path("items"));
    assertThat(names(EdgeServer.json(ask("GET", "/deep/er/", "")))).containsExactly("a b.txt:file");
    assertThat(ask("GET", "/deep//er", "").statusCode()).isEqualTo(404);
    assertThat(ask("GET", "/deep/er/a%20b.txt", "").body()).isEqualTo("second");
    assertThat(Files.readString(ann.resolve("deep/er/a b.txt"))).isEqualTo("second");

    assertThat(ask("POST", "/deep/er/a%20b.txt", "{\"to\":\"/mnt/ann/b.txt\"}").statusCode())
        .isEqualTo(200);
    assertThat(ask("GET", "/b.txt", "").body()).isEqualTo("second");
    assertThat(ask("DELETE", "/deep", "").statusCode()).isEqualTo(409);
    assertThat(ask("DELETE", "/deep?recursive=true", "").statusCode()).isEqualTo(204);
    assertThat(ask("DELETE", "/b.txt", "").statusCode()).isEqualTo(204);
    assertThat(ask("GET", "/b.txt", "").statusCode()).isEqualTo(404);
  }

  @Test
  void aLargeDirectoryComesInPages() throws Exception {
    for (int i = 0; i < 25; i++) {
      Files.writeString(ann.resolve("f%02d".formatted(i)), "");
    }

    JsonNode first = EdgeServer.json(ask("GET", "?limit=10", ""));
    JsonNode last =
        EdgeServer.json(ask("GET", "?limit=100&cursor=" + first.path("next").asText(), ""));

    assertThat(names(first)).hasSize(10).endsWith("f09:file");
    assertThat(names(last)).hasSize(15).startsWith("f10:file");
    assertThat(last.path("next").isNull()).isTrue();
  }

  @Test
  void partsOfAFileAreRead() throws Exception {
    byte[] content = new byte[1 << 20];
    new Random(7).nextBytes(content);
    Files.write(ann.resolve("data"), content);

    assertThat(bytes("data", null).body()).isEqualTo(content);
    HttpResponse<byte[]> part = bytes("data", "bytes=1000-299999");
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(part.headers().firstValue("Content-Range")).hasValue("bytes 1000-299999/1048576");
    assertThat(part.body()).isEqualTo(java.util.Arrays.copyOfRange(content, 1000, 300_000));
    assertThat(bytes("data", "bytes=-5").body())
        .isEqualTo(java.util.Arrays.copyOfRange(content, content.length - 5, content.length));
    assertThat(bytes("data", "bytes=1048576-").statusCode()).isEqualTo(416);
    assertThat(bytes("data", "bytes=9-1").statusCode()).isEqualTo(200);
    assertThat(bytes("data", "bytes=0-1,4-5").body()).isEqualTo(content);
  }

  @Test
  void whatAPersonMadeDoesNotRunAsAPartOfThePage() throws Exception {
    Files.writeString(ann.resolve("x.html"), "<script>steal()</script>");

    HttpResponse<String> page = ask("GET", "/x.html", "");

    assertThat(page.headers().firstValue("Content-Type")).hasValue("application/octet-stream");
    assertThat(page.headers().firstValue("Content-Disposition")).hasValue("attachment");
    assertThat(page.headers().allValues("Content-Security-Policy").toString()).contains("sandbox");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
  }

  @Test
  void noPathLeadsOutOfTheDirectory() throws Exception {
    for (String path :
        List.of(
            "/../bob/secret",
            "/%2e%2e/bob/secret",
            "/x/..%2f..%2fbob/secret",
            "/%2e%2e%2fbob%2fsecret",
            "/.%2e/bob/secret",
            "/x%00y",
            "/a%0ab",
            "//%2e%2e/%2e%2e/etc/passwd")) {
      for (String method : List.of("GET", "PUT", "POST", "DELETE")) {
        String body = method.equals("GET") || method.equals("DELETE") ? "" : "{\"to\":\"x\"}";
        String answer =
            edge.ask(
                method + " " + FILES + path,
                "Host: 127.0.0.1:" + edge.port(),
                "Authorization: Bearer ann",
                "Connection: close",
                "Content-Length: " + body.length(),
                "",
                body);
        assertThat(answer).as(method + " " + path).matches("(?s)HTTP/1.1 40[0459].*");
        assertThat(answer).doesNotContain("of bob").doesNotContain("root:");
      }
    }
    Files.writeString(ann.resolve("x"), "mine");
    for (String to : List.of("../bob/x", "/mnt/ann/../bob/x", "a/../../bob/x", "", "/")) {
      assertThat(ask("POST", "/x", "{\"to\":\"" + to + "\"}").statusCode()).as(to).isIn(400, 409);
    }
    // Another person's path is a path of one's own.
    assertThat(ask("POST", "/x", "{\"to\":\"/mnt/bob/x\"}").statusCode()).isEqualTo(404);
    assertThat(secret).hasContent("of bob");
    assertThat(secret.resolveSibling("x")).doesNotExist();
  }

  @Test
  void linksAreShownAndNotFollowed() throws Exception {
    Files.createSymbolicLink(ann.resolve("file"), secret);
    Files.createSymbolicLink(ann.resolve("directory"), secret.getParent());
    Files.createLink(ann.resolve("hard"), secret);

    assertThat(names(EdgeServer.json(ask("GET", "", ""))))
        .containsExactly("directory:link", "file:link", "hard:file");
    for (String path : List.of("/file", "/directory", "/directory/secret", "/hard")) {
      HttpResponse<String> read = ask("GET", path, "");
      assertThat(read.statusCode()).as(path).isEqualTo(409);
      assertThat(read.body()).contains("link").doesNotContain("of bob");
    }
    assertThat(put("/directory/secret", "mine").statusCode()).isEqualTo(409);
    assertThat(put("/directory/new", "mine").statusCode()).isEqualTo(409);
    assertThat(ask("PUT", "/directory/new?kind=directory", "").statusCode()).isEqualTo(409);
    assertThat(ask("POST", "/directory/secret", "{\"to\":\"mine\"}").statusCode()).isEqualTo(409);
    assertThat(ask("DELETE", "/directory/secret", "").statusCode()).isEqualTo(409);
    assertThat(ask("DELETE", "/directory?recursive=true", "").statusCode()).isEqualTo(204);
    // A link that is written is replaced itself.
    assertThat(put("/file", "mine").statusCode()).isEqualTo(200);

    assertThat(ann.resolve("file")).isRegularFile().hasContent("mine");
    assertThat(secret).hasContent("of bob");
    assertThat(secret.getParent().resolve("new")).doesNotExist();
  }

  @Test
  void deletingATreeLeavesWhatItsLinksPointTo() throws Exception {
    Files.createDirectories(ann.resolve("a/b"));
    Files.createSymbolicLink(ann.resolve("a/b/up"), secret.getParent());
    Files.writeString(ann.resolve("a/b/c"), "x");

    assertThat(ask("DELETE", "/a?recursive=true", "").statusCode()).isEqualTo(204);

    assertThat(ann).isEmptyDirectory();
    assertThat(secret).exists();
  }

  @Test
  void devicesAndFifosAreNotOpened() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", ann.resolve("fifo").toString()).start().waitFor())
        .isZero();

    assertThat(names(EdgeServer.json(ask("GET", "", "")))).containsExactly("fifo:other");
    assertThat(ask("GET", "/fifo", "").statusCode()).isEqualTo(409);
  }

  @Test
  void filesOfOthersAreHiddenAndTheRootStays() throws Exception {
    for (String method : List.of("GET", "PUT", "DELETE")) {
      assertThat(send("bob", method, FILES + "/x", "").statusCode()).isEqualTo(404);
    }
    assertThat(send("bob", "GET", FILES, "").statusCode()).isEqualTo(404);
    assertThat(send("bob", "GET", "/api/v1/files/bob/secret", "").body()).isEqualTo("of bob");
    assertThat(ask("DELETE", "/?recursive=true", "").statusCode()).isBetween(400, 499);
    assertThat(ask("DELETE", "?recursive=true", "").statusCode()).isBetween(400, 499);
    assertThat(ann).exists();
  }

  @Test
  void aFileThatChangedMeanwhileIsNotReplaced() throws Exception {
    String read = put("/x", "one").headers().firstValue("ETag").orElseThrow();
    put("/x", "changed by another");

    HttpRequest.Builder late = request("ann", FILES + "/x").header("If-Match", read);
    HttpResponse<String> refused =
        edge.client()
            .send(late.PUT(BodyPublishers.ofString("mine")).build(), BodyHandlers.ofString());

    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(ann.resolve("x")).hasContent("changed by another");
    assertThat(entries()).containsExactly("x");
  }

  @Test
  void whatDoesNotFitIsRefusedAndLeavesNothing() throws Exception {
    int most = (int) EdgeServer.WORKSPACE_BYTES;
    Files.write(ann.resolve("there"), new byte[most - 2_000_000]);

    assertThat(put("/x", "x".repeat(2_000_001)).statusCode()).isEqualTo(413);
    // Without a length it is found out on the way.
    HttpResponse<String> endless =
        edge.client()
            .send(
                request("ann", FILES + "/y")
                    .PUT(
                        BodyPublishers.ofInputStream(
                            () -> new java.io.ByteArrayInputStream(new byte[4_000_000])))
                    .build(),
                BodyHandlers.ofString());
    assertThat(endless.statusCode()).isEqualTo(413);
    assertThat(put("/z", "x".repeat(1_900_000)).statusCode()).isEqualTo(201);
    assertThat(entries()).containsExactly("there", "z");
  }

  @Test
  void aDryRunChecksAndChangesNothing() throws Exception {
    int most = (int) EdgeServer.WORKSPACE_BYTES;
    Files.createDirectories(ann.resolve("folder"));
    Files.writeString(ann.resolve("file"), "x");

    assertThat(put("/new/file?dryRun=true", "one").statusCode()).isEqualTo(204);
    assertThat(put("/file?dryRun=true", "one").statusCode()).isEqualTo(204);
    assertThat(put("/folder?dryRun=true", "one").statusCode()).isEqualTo(409);
    assertThat(put("/file/below?dryRun=true", "one").statusCode()).isEqualTo(409);
    assertThat(put("/big?dryRun=true", "x".repeat(most)).statusCode()).isEqualTo(413);
    String directory = "?kind=directory&dryRun=true";
    assertThat(ask("PUT", "/other/one" + directory, "").statusCode()).isEqualTo(204);
    assertThat(ask("PUT", "/folder" + directory, "").statusCode()).isEqualTo(204);
    assertThat(ask("PUT", "/file" + directory, "").statusCode()).isEqualTo(409);
    assertThat(ask("PUT", directory, "").statusCode()).isNotEqualTo(204);
    HttpRequest.Builder stale = request("ann", FILES + "/file?dryRun=true");
    assertThat(
            edge.client()
                .send(
                    stale.header("If-Match", "\"1-2\"").PUT(BodyPublishers.ofString("y")).build(),
                    BodyHandlers.ofString())
                .statusCode())
        .isEqualTo(409);

    try (Stream<Path> files = Files.walk(ann)) {
      assertThat(files.map(ann::relativize).map(Path::toString))
          .containsExactlyInAnyOrder("", "folder", "file");
    }
    assertThat(Files.readString(ann.resolve("file"))).isEqualTo("x");
  }

  @Test
  void whatWasDeletedMakesRoomAtOnce() throws Exception {
    int half = (int) EdgeServer.WORKSPACE_BYTES / 2 + 1;
    assertThat(put("/one", "x".repeat(half)).statusCode()).isEqualTo(201);
    assertThat(put("/two", "x".repeat(half)).statusCode()).isEqualTo(413);
    assertThat(ask("DELETE", "/one", "").statusCode()).isEqualTo(204);
    assertThat(EdgeServer.json(ask("GET", "", "")).path("usedBytes").asLong()).isZero();
    assertThat(put("/two", "x".repeat(half)).statusCode()).isEqualTo(201);

    // A program deletes it, and the server does not hear of that.
    Files.delete(ann.resolve("two"));

    assertThat(put("/three", "x".repeat(half)).statusCode()).isEqualTo(201);
  }

  @Test
  void anUploadThatBreaksOffLeavesTheOldContent() throws Exception {
    put("/x", "old");
    try (RawClient raw = edge.raw()) {
      raw.write(
          "PUT %s/x HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer ann\r\nContent-Length: 3000000\r\n\r\n%s"
              .formatted(FILES, edge.port(), "y".repeat(2_000_000)));
      await().atMost(Duration.ofSeconds(20)).until(() -> entries().size() == 2);
      assertThat(names(EdgeServer.json(ask("GET", "", "")))).containsExactly("x:file");
    }
    await().atMost(Duration.ofSeconds(20)).until(() -> entries().equals(List.of("x")));

    assertThat(ann.resolve("x")).hasContent("old");
  }

  // ---- helpers -------------------------------------------------------------------------------

  private List<String> entries() throws Exception {
    try (Stream<Path> all = Files.list(ann)) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  private static List<String> names(JsonNode list) {
    return list.path("items")
        .valueStream()
        .map(item -> item.path("name").asText() + ":" + item.path("kind").asText())
        .toList();
  }

  private HttpResponse<String> put(String path, String body) throws Exception {
    return ask("PUT", path, body);
  }

  private HttpResponse<String> ask(String method, String path, String body) throws Exception {
    return send("ann", method, FILES + path, body);
  }

  private HttpResponse<byte[]> bytes(String name, String range) throws Exception {
    HttpRequest.Builder request = request("ann", FILES + "/" + name).GET();
    if (range != null) {
      request.header("Range", range);
    }
    return edge.client().send(request.build(), BodyHandlers.ofByteArray());
  }

  private HttpResponse<String> send(String who, String method, String path, String body)
      throws Exception {
    return edge.client()
        .send(
            request(who, path).method(method, BodyPublishers.ofString(body)).build(),
            BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String who, String path) {
    return edge.request(path).header("Authorization", "Bearer " + who);
  }
}
