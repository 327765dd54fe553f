package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.digest.Sha256;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** A real registry that asks for user and password; tests skip themselves where it is missing. */
final class DockerRegistry implements AutoCloseable {
  static final String USER = "robot";
  private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";

  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final String password;
  private final int port;
  private final Path images;

  private DockerRegistry(Process process, int port, String password, Path images) {
    this.images = images;
    this.process = process;
    this.port = port;
    this.password = password;
  }

  /** A registry whose files are below a directory. */
  static DockerRegistry start(Path directory, String password) throws Exception {
    return start(directory, password, true);
  }

  /** A registry that refuses deletions, which is the default of its configuration. */
  static DockerRegistry keepingAll(Path directory, String password) throws Exception {
    return start(directory, password, false);
  }

  private static DockerRegistry start(Path directory, String password, boolean deletes)
      throws Exception {
    assumeTrue(isInstalled("docker-registry"), "needs docker-registry (Debian: docker-registry)");
    assumeTrue(isInstalled("htpasswd"), "needs htpasswd (Debian: apache2-utils)");
    Files.createDirectories(directory);
    Process hash = new ProcessBuilder("htpasswd", "-niB", USER).start();
    try (var in = hash.getOutputStream()) {
      in.write((password + "\n").getBytes(StandardCharsets.UTF_8));
    }
    String line = new String(hash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(hash.waitFor()).isZero();
    Path users = Files.writeString(directory.resolve("users"), line);
    int port = FreePort.take();
    Path config =
        Files.writeString(
            directory.resolve("registry.yml"),
            """
            version: 0.1
            storage:
              filesystem: {rootdirectory: "%s"}
              delete: {enabled: %s}
            http: {addr: "127.0.0.1:%d"}
            auth:
              htpasswd: {realm: test, path: "%s"}
            """
                .formatted(directory.resolve("images"), deletes, port, users));
    Process process =
        new ProcessBuilder("docker-registry", "serve", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    DockerRegistry registry =
        new DockerRegistry(process, port, password, directory.resolve("images"));
    await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptions()
        .until(() -> registry.send("GET", "/v2/", "", "").statusCode() == 200);
    return registry;
  }

  private static boolean isInstalled(String command) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
  }

  String host() {
    return "127.0.0.1:" + port;
  }

  /** A file with the login, as Docker writes it. */
  Path login(Path directory) throws IOException {
    String both = USER + ":" + password;
    return Files.writeString(
        directory.resolve("login.json"),
        "{\"auths\": {\"%s\": {\"auth\": \"%s\"}}}"
            .formatted(
                host(), Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8))));
  }

  /** Pushes an image without layers, and returns its digest. */
  String push(String repository, String tag, String label) throws Exception {
    String config = "{\"config\": {\"Labels\": {\"of\": \"%s\"}}}".formatted(label);
    String digest = "sha256:" + Sha256.hex(config);
    String location =
        send("POST", "/v2/" + repository + "/blobs/uploads/", "", "")
            .headers()
            .firstValue("Location")
            .orElseThrow();
    URI upload = URI.create(location);
    String path = upload.getRawPath() + "?" + upload.getRawQuery() + "&digest=" + digest;
    assertThat(send("PUT", path, config, "application/octet-stream").statusCode()).isEqualTo(201);
    String manifest =
        """
        {"schemaVersion": 2, "mediaType": "%s", "layers": [], "config":
        {"mediaType": "application/vnd.oci.image.config.v1+json", "digest": "%s", "size": %d}}\
        """
            .formatted(MANIFEST, digest, config.length());
    HttpResponse<String> put =
        send("PUT", "/v2/%s/manifests/%s".formatted(repository, tag), manifest, MANIFEST);
    assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
    return put.headers().firstValue("Docker-Content-Digest").orElseThrow();
  }

  /** Gives an image a further tag. */
  void tag(String repository, String digest, String tag) throws Exception {
    String from = "/v2/%s/manifests/%s".formatted(repository, digest);
    HttpRequest request = request("GET", from, "").header("Accept", MANIFEST).build();
    HttpResponse<String> manifest = client.send(request, BodyHandlers.ofString());
    assertThat(manifest.statusCode()).as(manifest.body()).isEqualTo(200);
    String type = manifest.headers().firstValue("Content-Type").orElseThrow();
    HttpResponse<String> put =
        send("PUT", "/v2/%s/manifests/%s".formatted(repository, tag), manifest.body(), type);
    assertThat(put.headers().firstValue("Docker-Content-Digest")).hasValue(digest);
  }

  /** The digest of a tag or of a digest; empty when it is not there. */
  String digest(String repository, String tag) throws Exception {
    HttpRequest request =
        request("HEAD", "/v2/%s/manifests/%s".formatted(repository, tag), "")
            .header("Accept", MANIFEST + ", application/vnd.docker.distribution.manifest.v2+json")
            .build();
    return client
        .send(request, BodyHandlers.ofString())
        .headers()
        .firstValue("Docker-Content-Digest")
        .orElse("");
  }

  /** The files of everything that was pushed. */
  List<Path> blobs() throws IOException {
    if (!Files.exists(images)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(images)) {
      return files.filter(file -> file.getFileName().toString().equals("data")).toList();
    }
  }

  /** The digests of all images of a repository, those without a tag too. */
  List<String> manifests(String repository) throws IOException {
    Path all =
        images
            .resolve("docker/registry/v2/repositories")
            .resolve(repository)
            .resolve("_manifests/revisions/sha256");
    try (Stream<Path> digests = Files.list(all)) {
      return digests.map(digest -> digest.getFileName().toString()).toList();
    }
  }

  /** The digests of the parts of an image that the registry does not have. */
  List<String> missing(String repository, String tag) throws Exception {
    HttpRequest request =
        request("GET", "/v2/%s/manifests/%s".formatted(repository, tag), "")
            .header("Accept", MANIFEST + ", application/vnd.docker.distribution.manifest.v2+json")
            .build();
    JsonNode manifest = Json.parse(client.send(request, BodyHandlers.ofString()).body());
    List<String> missing = new ArrayList<>();
    for (String digest : manifest.findValuesAsText("digest")) {
      String path = "/v2/%s/blobs/%s".formatted(repository, digest);
      if (send("HEAD", path, "", "").statusCode() != 200) {
        missing.add(digest);
      }
    }
    assertThat(manifest.findValuesAsText("digest")).as("%s", manifest).isNotEmpty();
    return missing;
  }

  /** Deletes an image under all of its tags. */
  void delete(String repository, String digest) throws Exception {
    assertThat(
            send("DELETE", "/v2/%s/manifests/%s".formatted(repository, digest), "", "")
                .statusCode())
        .isEqualTo(202);
  }

  private HttpResponse<String> send(String method, String path, String body, String type)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(method, path, body);
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String method, String path, String body) {
    String both = USER + ":" + password;
    return HttpRequest.newBuilder(URI.create("http://" + host() + path))
        .header(
            "Authorization",
            "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)))
        .method(method, BodyPublishers.ofString(body));
  }

  @Override
  public void close() {
    client.close();
    process.destroy();
  }
}
