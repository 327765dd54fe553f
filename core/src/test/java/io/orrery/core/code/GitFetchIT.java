package io.orrery.core.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.process.SearchPath;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledIf("io.orrery.core.code.RepositoryServer#isPossible")
class GitFetchIT {
  private static final GitFetch.Limits LIMITS =
      new GitFetch.Limits(4L << 20, 100, Duration.ofSeconds(60));

  @TempDir Path directory;
  private RepositoryServer server;

  @BeforeEach
  void serve() throws Exception {
    server = new RepositoryServer(Files.createDirectory(directory.resolve("server")));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static GitFetch fetch(GitFetch.Limits limits) {
    return new GitFetch(limits, InetAddress::isLoopbackAddress, SearchPath.of(System.getenv()));
  }

  private GitFetch.Fetched fetched(String url, String ref, @Nullable String password)
      throws Exception {
    return fetch(LIMITS)
        .fetch(
            new GitSource(url, ref, "ann", password == null ? null : "secret:git"),
            password,
            directory.resolve("out"));
  }

  private void leavesNothing() {
    assertThat(directory.resolve("out")).doesNotExist();
    assertThat(directory.resolve("out.git")).doesNotExist();
  }

  @Test
  void bringsTheFilesOfABranchOfATagAndOfAnEarlierCommit() throws Exception {
    String first = server.commit("tool.git", Map.of("a/Containerfile", text("FROM scratch\n")));
    RepositoryServer.git(directory.resolve("server/tool.git"), "tag", "v1", first);
    String second = server.commit("tool.git", Map.of("b.txt", text("two")));

    var branch = fetched(server.url("tool.git"), "main", null);
    assertThat(branch.commit()).isEqualTo(second);
    assertThat(branch.directory().resolve("b.txt")).hasContent("two");
    assertThat(branch.directory().resolve(".git")).doesNotExist();
    assertThat(directory.resolve("out.git")).doesNotExist();

    for (String ref : new String[] {"v1", first}) {
      var earlier =
          fetch(LIMITS)
              .fetch(
                  new GitSource(server.url("tool.git"), ref, null, null),
                  null,
                  directory.resolve("out-" + ref));
      assertThat(earlier.commit()).isEqualTo(first);
      assertThat(earlier.directory().resolve("b.txt")).doesNotExist();
      assertThat(earlier.directory().resolve("a/Containerfile")).exists();
    }
  }

  @Test
  void sendsAPasswordThatNoReasonNames() throws Exception {
    server.commit("tool.git", Map.of("a", text("a")));
    server.protect("ann", "pass-3141");

    assertThatThrownBy(() -> fetched(server.url("tool.git"), "main", null))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("asks for a login");
    assertThatThrownBy(() -> fetched(server.url("tool.git"), "main", "wrong-2718"))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("refuses the login")
        .hasMessageNotContaining("2718");
    leavesNothing();

    assertThat(fetched(server.url("tool.git"), "main", "pass-3141").directory().resolve("a"))
        .exists();
  }

  @Test
  void refusesWhatIsTooLargeBeforeItIsWritten() throws Exception {
    byte[] zeros = new byte[5 << 20];
    server.commit("zeros.git", Map.of("zeros", zeros));
    assertThatThrownBy(() -> fetched(server.url("zeros.git"), "main", null))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("5 MB")
        .hasMessageContaining("4 MB are allowed");
    leavesNothing();

    byte[] noise = new byte[6 << 20];
    new Random(1).nextBytes(noise);
    server.commit("noise.git", Map.of("noise", noise));
    assertThatThrownBy(() -> fetched(server.url("noise.git"), "main", null))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("more than 4 MB");
    leavesNothing();
  }

  @Test
  void countsFiles() throws Exception {
    var few = new GitFetch.Limits(1L << 20, 1, Duration.ofSeconds(60));
    server.commit("tool.git", Map.of("a", text("a"), "b", text("b")));
    assertThatThrownBy(() ->
            fetch(few)
                .fetch(
                    new GitSource(server.url("tool.git"), "main", null, null),
                    null,
                    directory.resolve("out")))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("2 files");
    leavesNothing();
  }

  @Test
  void connectsToNoAddressThatIsNotAllowedAndFollowsNoRedirect() throws Exception {
    server.commit("tool.git", Map.of("a", text("a")));
    var closed = new GitFetch(LIMITS, address -> false, SearchPath.of(System.getenv()));
    assertThatThrownBy(() ->
            closed.fetch(
                new GitSource(server.url("tool.git"), "main", null, null),
                null,
                directory.resolve("out")))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("127.0.0.1 is not in the Internet");
    assertThat(server.asked()).isEmpty();

    try (RepositoryServer other =
        new RepositoryServer(Files.createDirectory(directory.resolve("other")))) {
      other.commit("tool.git", Map.of("a", text("a")));
      server.redirect(other.url("").replaceFirst("/$", ""));
      assertThatThrownBy(() -> fetched(server.url("tool.git"), "main", null))
          .isInstanceOf(GitException.class);
      assertThat(other.asked()).isEmpty();
    }
    leavesNothing();
  }

  @Test
  void tellsThatARefIsNotThere() throws Exception {
    server.commit("tool.git", Map.of("a", text("a")));
    assertThatThrownBy(() -> fetched(server.url("tool.git"), "gone", null))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("gone");
    leavesNothing();
  }

  @Test
  void endsWhatTakesTooLong() throws Exception {
    server.commit("tool.git", Map.of("a", text("a")));
    var none = new GitFetch.Limits(1L << 20, 10, Duration.ZERO);
    assertThatThrownBy(() ->
            fetch(none)
                .fetch(
                    new GitSource(server.url("tool.git"), "main", null, null),
                    null,
                    directory.resolve("out")))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("took more than 0 s");
    leavesNothing();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:///etc",
        "/etc",
        "ext::sh -c id",
        "ssh://git@example.com/x",
        "http://example.com/x.git",
        "https://ann:pass@example.com/x.git",
        "https://example.com/x?a=b",
        "--upload-pack=id",
        "https://exa mple.com/x"
      })
  void knowsAddressesThatAreNone(String url) {
    assertThat(GitSource.findUrlFault(url)).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "main,true",
    "v1.2,true",
    "feature/x,true",
    "--upload-pack=id,false",
    "a..b,false",
    "a b,false",
    "main:refs/heads/x,false",
    "@{u},false"
  })
  void knowsRefs(String ref, boolean valid) {
    assertThat(GitSource.isRef(ref)).isEqualTo(valid);
  }

  @Test
  void takesAddressesOfRepositories() {
    assertThat(GitSource.findUrlFault("https://git.example.com:8443/vision/tool.git")).isEmpty();
    assertThat(GitSource.findUrlFault("http://127.0.0.1:80/tool.git")).isEmpty();
  }
}
