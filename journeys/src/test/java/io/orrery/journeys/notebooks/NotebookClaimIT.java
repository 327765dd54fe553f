package io.orrery.journeys.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The files of the claims of a notebook that runs in a pod, and what hostile files do to them. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class NotebookClaimIT extends PodNotebookJourney {
  /** More than what is between a reader and a file has room for. */
  private static final long HUGE = 1L << 30;

  private static final String PODS = "/api/v1/namespaces/trials/pods";

  private List<String> names(String path) throws Exception {
    Reply listed = send("GET", path, "");
    assertThat(listed.status()).as(listed.body()).isEqualTo(200);
    return listed
        .json()
        .path("items")
        .valueStream()
        .map(item -> item.path("name").asText() + ":" + item.path("kind").asText())
        .toList();
  }

  private List<String> entries(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  private HttpRequest.Builder request(Person person, String path) {
    return HttpRequest.newBuilder(server.url().resolve(files + at(path)))
        .header("Cookie", person.cookie());
  }

  @Test
  void filesAreWrittenListedReadMovedAndDeletedInThePod() throws Exception {
    running();

    assertThat(send("PUT", "/deep/er/a%20b'%22.txt", "one").status()).isEqualTo(201);
    Reply second = send("PUT", "/deep/er/a%20b'%22.txt", "0123456789");
    assertThat(second.status()).as(second.body()).isEqualTo(200);
    assertThat(mounted.resolve("deep/er/a b'\".txt")).hasContent("0123456789");
    assertThat(send("PUT", "/empty?kind=directory", "").status()).isEqualTo(201);
    assertThat(send("PUT", "/empty?kind=directory", "").status()).isEqualTo(204);
    Reply root = send("GET", "", "");
    assertThat(root.json().path("path").asText()).isEqualTo(mounted.toString());
    assertThat(root.json().has("quotaBytes")).isFalse();
    assertThat(names("")).contains("deep:directory", "empty:directory");
    assertThat(names("/deep/er")).containsExactly("a b'\".txt:file");
    assertThat(names("/empty")).isEmpty();
    // The server has other files.
    assertThat(users.get(ann, files).json().path("items")).isEmpty();

    Reply read = send("GET", "/deep/er/a%20b'%22.txt", "");
    assertThat(read.body()).isEqualTo("0123456789");
    assertThat(read.tag()).isEqualTo(second.tag()).isNotEmpty();
    Reply part = send("GET", "/deep/er/a%20b'%22.txt", "", "Range", "bytes=3-6");
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.body()).isEqualTo("3456");
    assertThat(send("GET", "/deep/er/a%20b'%22.txt", "", "Range", "bytes=10-").status())
        .isEqualTo(416);
    Reply stat = send("GET", "/deep/er/a%20b'%22.txt?stat=true", "");
    assertThat(stat.json().path("bytes").asInt()).isEqualTo(10);
    assertThat(send("GET", "/%2f?stat=true", "").json().path("kind").asText())
        .isEqualTo("directory");
    assertThat(send("PUT", "/deep/er/a%20b'%22.txt", "x", "If-Match", "\"1-1\"").status())
        .isEqualTo(409);
    assertThat(send("PUT", "/deep/er/a%20b'%22.txt", "last", "If-Match", read.tag()).status())
        .isEqualTo(200);

    String to = "{\"to\":\"%s/b.txt\"}".formatted(mounted);
    assertThat(send("POST", "/deep/er/a%20b'%22.txt?dryRun=true", to).status()).isEqualTo(200);
    assertThat(mounted.resolve("b.txt")).doesNotExist();
    assertThat(send("POST", "/deep/er/a%20b'%22.txt", to).status()).isEqualTo(200);
    assertThat(mounted.resolve("b.txt")).hasContent("last");
    assertThat(send("POST", "/b.txt", "{\"to\":\"empty\"}").status()).isEqualTo(409);
    assertThat(send("DELETE", "/deep", "").body()).contains("not empty");
    assertThat(send("DELETE", "/deep?recursive=true", "").status()).isEqualTo(204);
    assertThat(send("DELETE", "/b.txt", "").status()).isEqualTo(204);
    assertThat(send("GET", "/b.txt", "").body())
        .contains("There is no %s/b.txt in notebook ann-1.".formatted(mounted));
    assertThat(send("PUT", "/new/x?dryRun=true", "text").status()).isEqualTo(204);
    assertThat(send("PUT", "/empty?dryRun=true", "text").status()).isEqualTo(409);
    assertThat(send("PUT", "/new?kind=directory&dryRun=true", "").status()).isEqualTo(204);
    assertThat(mounted.resolve("new")).doesNotExist();

    largeFilesAndDirectoriesComeInParts();
    theCommandLineDoesTheSame();
    onlyTheOwnerHasThem();
  }

  private void largeFilesAndDirectoriesComeInParts() throws Exception {
    byte[] content = new byte[3_000_000];
    new Random(5).nextBytes(content);
    try (HttpClient http = HttpClient.newHttpClient()) {
      // Without a length.
      HttpRequest upload =
          request(ann, "/large")
              .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(content)))
              .build();
      assertThat(http.send(upload, BodyHandlers.ofString()).statusCode()).isEqualTo(201);
      HttpResponse<byte[]> back =
          http.send(request(ann, "/large").build(), BodyHandlers.ofByteArray());
      assertThat(back.body()).isEqualTo(content);
      HttpResponse<byte[]> end =
          http.send(
              request(ann, "/large").header("Range", "bytes=-1000000").build(),
              BodyHandlers.ofByteArray());
      assertThat(end.body()).isEqualTo(Arrays.copyOfRange(content, 2_000_000, 3_000_000));
    }
    Path many = Files.createDirectories(mounted.resolve("many"));
    for (int i = 0; i < 2_500; i++) {
      Files.createFile(many.resolve("f%04d".formatted(i)));
    }
    Reply first = send("GET", "/many?limit=1000", "");
    assertThat(first.json().path("items")).hasSize(1000);
    assertThat(first.json().path("next").asText()).isEqualTo("f0999");
    Reply last = send("GET", "/many?limit=1000&cursor=f1999", "");
    assertThat(last.json().path("items")).hasSize(500);
    assertThat(last.json().path("next").isNull()).isTrue();
  }

  private void theCommandLineDoesTheSame() throws Exception {
    Reply made = users.send(ann, "POST", "/api/v1/me/tokens", "{\"name\":\"cli\"}");
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    Path local = Files.createDirectories(temp.resolve("local/tree/below"));
    Files.writeString(local.resolve("x"), "text");
    String token = made.json().findValue("token").asText();
    assertThat(orrery(token, "put", "tree", "put/")).isEmpty();
    assertThat(mounted.resolve("put/tree/below/x")).hasContent("text");
    assertThat(orrery(token, "ls", "put/tree")).contains("below/");
    assertThat(orrery(token, "ls")).contains("large").doesNotContain("used");
    assertThat(orrery(token, "get", "put/tree/below/x", "-")).isEqualTo("text");
    assertThat(orrery(token, "get", mounted + "/put/tree", "back")).isEmpty();
    assertThat(temp.resolve("local/back/below/x")).hasContent("text");
    assertThat(orrery(token, "mkdir", "made")).isEmpty();
    assertThat(orrery(token, "mv", "made", "put/made")).isEmpty();
    assertThat(orrery(token, "rm", "-r", "put")).isEmpty();
    assertThat(mounted.resolve("put")).doesNotExist();
    assertThat(orrery(token, "ls", "/archives/" + owner()))
        .contains("there is no /archives/" + owner());
  }

  private String orrery(String token, String verb, String... more) throws Exception {
    List<String> words = new ArrayList<>(List.of("files", verb));
    words.addAll(List.of(more));
    words.addAll(List.of("--notebook", "ann-1"));
    ProcessBuilder builder =
        new ProcessBuilder(ServerProcess.command(words.toArray(String[]::new)))
            .directory(temp.resolve("local").toFile())
            .redirectErrorStream(true);
    builder.environment().put("ORRERY_URL", server.url().toString());
    builder.environment().put("ORRERY_TOKEN", token);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }

  private void onlyTheOwnerHasThem() throws Exception {
    for (String method : List.of("GET", "PUT", "DELETE")) {
      for (String path : List.of("", "/x")) {
        if (!path.isEmpty() || method.equals("GET")) {
          assertThat(users.send(bob, method, files + at(path), "").status()).isEqualTo(404);
        }
      }
    }
    assertThat(users.get(bob, "/api/v1/files/bob?notebook=ann-1").body())
        .contains("There is no notebook 'ann-1' of yours.");
    assertThat(users.get(ann, files + "?notebook=ann-9").body())
        .contains("There is no notebook 'ann-9' of yours.");
    assertThat(users.get(ann, files + "?archive=true").status()).isEqualTo(400);
    Reply places = users.get(ann, "/api/v1/file-places/" + owner());
    assertThat(places.json().path("items").toString())
        .isEqualTo(
            "[{\"notebook\":\"ann-1\",\"path\":\"/mnt/%1$s\",\"archive\":false},{\"notebook\":\"ann-1\",\"path\":\"/archives/%1$s\",\"archive\":true}]"
                .formatted(owner()));
    assertThat(users.get(bob, "/api/v1/file-places/" + owner()).status()).isEqualTo(404);
    assertThat(users.get(bob, "/api/v1/file-places/bob").json().path("items")).isEmpty();

    act("stop");
    awaitStatus("STOPPED");
    Reply stopped = send("GET", "", "");
    assertThat(stopped.status()).isEqualTo(409);
    assertThat(stopped.body()).contains("STOPPED", "orrery notebook start ann-1");
    assertThat(users.get(ann, "/api/v1/file-places/" + owner()).json().path("items")).isEmpty();
  }

  @Test
  void whoIsTakenOutOfTheProjectHasItsFilesNoMore() throws Exception {
    running();
    assertThat(send("PUT", "/own", "text").status()).isEqualTo(201);
    assertThat(send("GET", "/own", "").body()).isEqualTo("text");

    String members = "/api/v1/projects/vision/members/";
    String creator = "{\"role\":\"creator\"}";
    assertThat(users.send(root, "PUT", members + "bob", creator).status()).isLessThan(300);
    Reply taken = users.send(root, "DELETE", members + owner(), "");
    assertThat(taken.status()).as(taken.body()).isLessThan(300);

    for (String method : List.of("GET", "PUT", "DELETE")) {
      assertThat(send(method, "/own", "other").status()).as(method).isBetween(403, 404);
    }
    assertThat(users.get(ann, "/api/v1/file-places/" + owner()).json().path("items")).isEmpty();
    assertThat(mounted.resolve("own")).hasContent("text");
  }

  @Test
  void hostileFilesAndCutTransfersDoNoHarm() throws Exception {
    running();
    Path outside = Files.createDirectories(temp.resolve("outside"));
    Path secret = Files.writeString(outside.resolve("secret"), "of another");
    Files.createSymbolicLink(mounted.resolve("out"), outside);
    Files.createSymbolicLink(mounted.resolve("file"), secret);
    Path odd = Files.createDirectories(mounted.resolve("odd"));
    for (String name : List.of("-rf", "\nnew\nline", "quo'te\"$(touch x)`touch y`", "a\\\\b")) {
      Files.writeString(odd.resolve(name), "odd");
    }
    assertThat(new ProcessBuilder("mkfifo", odd.resolve("fifo").toString()).start().waitFor())
        .isZero();

    assertThat(names("")).contains("out:link", "file:link");
    for (String path : List.of("/out", "/out/secret", "/file", "/odd/fifo")) {
      Reply read = send("GET", path, "");
      assertThat(read.status()).as(path).isEqualTo(409);
      assertThat(read.body()).contains("could not read").doesNotContain("of another");
    }
    for (String path : List.of("/%2e%2e/x", "/odd/..%2f..%2fetc/passwd", "/x%00y", "/a%0ab")) {
      assertThat(send("GET", path, "").status()).as(path).isBetween(400, 404);
      assertThat(send("PUT", path, "x").status()).as(path).isBetween(400, 404);
    }
    assertThat(send("PUT", "/out/new", "mine").status()).isEqualTo(409);
    assertThat(send("PUT", "/out/new?kind=directory", "").status()).isEqualTo(409);
    assertThat(send("DELETE", "/out/secret", "").status()).isEqualTo(409);
    assertThat(send("POST", "/odd/-rf", "{\"to\":\"out/x\"}").status()).isEqualTo(409);
    assertThat(send("PUT", "/file", "mine").status()).as("the link itself").isEqualTo(200);
    assertThat(send("DELETE", "/out?recursive=true", "").status()).isEqualTo(204);
    assertThat(entries(outside)).containsExactly("secret");
    assertThat(secret).hasContent("of another");
    assertThat(mounted.resolve("file")).isRegularFile().hasContent("mine");

    assertThat(names("/odd"))
        .containsExactlyInAnyOrder(
            "-rf:file",
            "\nnew\nline:file",
            "quo'te\"$(touch x)`touch y`:file",
            "a\\\\b:file",
            "fifo:other");
    assertThat(send("GET", "/odd/-rf", "").body()).isEqualTo("odd");
    assertThat(send("GET", "/odd/quo'te%22$(touch%20x)%60touch%20y%60", "").body())
        .isEqualTo("odd");
    assertThat(send("GET", "/odd/a%5C%5Cb", "").body()).isEqualTo("odd");
    assertThat(send("DELETE", "/odd/-rf", "").status()).isEqualTo(204);
    assertThat(entries(odd)).hasSize(4);

    anUploadThatBreaksOffLeavesTheOldContent();
    aPodThatGoesCutsWhatIsUnderWay();
  }

  private void anUploadThatBreaksOffLeavesTheOldContent() throws Exception {
    send("PUT", "/old", "old");
    try (Socket socket = new Socket(server.url().getHost(), server.url().getPort())) {
      String head =
          "PUT %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nContent-Length: 3000000\r\n\r\n"
              .formatted(files + at("/old"), server.url().getAuthority(), ann.cookie());
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(new byte[1_000_000]);
      socket.getOutputStream().flush();
      await()
          .atMost(PATIENCE)
          .until(() -> entries(mounted).stream().anyMatch(each -> each.startsWith(".orrery-part")));
      assertThat(names("")).noneMatch(each -> each.contains("part"));
    }
    await()
        .atMost(PATIENCE)
        .until(() -> entries(mounted).stream().noneMatch(each -> each.startsWith(".orrery-part")));
    assertThat(mounted.resolve("old")).hasContent("old");
  }

  private void aPodThatGoesCutsWhatIsUnderWay() throws Exception {
    Path huge = mounted.resolve("huge");
    try (RandomAccessFile sparse = new RandomAccessFile(huge.toFile(), "rw")) {
      sparse.setLength(HUGE);
    }
    HttpClient http = HttpClient.newHttpClient();
    try {
      HttpResponse<InputStream> download =
          http.send(request(ann, "/huge").build(), BodyHandlers.ofInputStream());
      assertThat(download.statusCode()).isEqualTo(200);
      CompletableFuture<HttpResponse<String>> listed =
          http.sendAsync(request(ann, "").build(), BodyHandlers.ofString());
      assertThat(listed.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      // It waits for its reader.
      await().atMost(PATIENCE).until(() -> isOpen(huge));
      JsonNode pod = cluster.list(PODS).getFirst();
      cluster.delete(PODS + "/" + pod.at("/metadata/name").asText());
      // Until what reads the file has ended it would go on sending to a client that reads.
      await().atMost(PATIENCE).until(() -> !isOpen(huge));
      assertThat(
              CompletableFuture.supplyAsync(() -> read(download.body())).get(60, TimeUnit.SECONDS))
          .isLessThan(HUGE);
    } finally {
      // To close it would wait for the download.
      http.shutdownNow();
    }
  }

  /** Whether a process has a file open. */
  private static boolean isOpen(Path file) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      return all.filter(process -> process.getFileName().toString().matches("[0-9]+"))
          .anyMatch(process -> hasOpen(process, file));
    }
  }

  private static boolean hasOpen(Path process, Path file) {
    try (Stream<Path> open = Files.list(process.resolve("fd"))) {
      return open.anyMatch(each -> file.equals(targetOf(each)));
    } catch (IOException | UncheckedIOException ended) {
      return false;
    }
  }

  private static @Nullable Path targetOf(Path link) {
    try {
      return Files.readSymbolicLink(link);
    } catch (IOException closed) {
      return null;
    }
  }

  /** The bytes that came before the connection was cut. */
  private static long read(InputStream body) {
    byte[] piece = new byte[1 << 16];
    long all = 0;
    try (body) {
      for (int count = body.read(piece); count >= 0; count = body.read(piece)) {
        all += count;
      }
      return all;
    } catch (IOException cut) {
      return all;
    }
  }
}
