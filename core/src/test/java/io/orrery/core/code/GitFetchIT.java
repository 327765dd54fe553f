package io.orrery.core.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.file.DirectoryTree;
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
  private static final CodeLimits LIMITS = new CodeLimits(100, 4L << 20);
  private static final Duration MINUTE = Duration.ofMinutes(1);

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

  private static GitFetch fetch(CodeLimits limits) {
    return new GitFetch(limits, InetAddress::isLoopbackAddress, SearchPath.of(System.getenv()));
  }

  /** Fetches into {@code out} and returns the commit. */
  private String fetched(GitFetch fetch, GitRemote remote, Duration time) throws Exception {
    Path out = directory.resolve("out");
    Path scratch = directory.resolve("scratch");
    DirectoryTree.delete(out);
    Files.createDirectory(scratch);
    try {
      FetchedCommit commit = fetch.fetch(remote, scratch, time);
      commit.write("", out);
      return commit.name();
    } finally {
      DirectoryTree.delete(scratch);
    }
  }

  private static GitRemote remote(String url, String ref) {
    return new GitSource(url, ref, null, null).remote(null);
  }

  private String fetched(String url, String ref, @Nullable String password) throws Exception {
    return fetched(
        fetch(LIMITS), new GitSource(url, ref, "ann", "secret:git").remote(password), MINUTE);
  }

  private void leavesNothing() {
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void bringsTheFilesOfABranchOfATagAndOfAnEarlierCommit() throws Exception {
    String first = server.commit("tool.git", Map.of("a/Containerfile", text("FROM scratch\n")));
    RepositoryServer.git(directory.resolve("server/tool.git"), "tag", "v1", first);
    String second = server.commit("tool.git", Map.of("b.txt", text("two")));

    assertThat(fetched(server.url("tool.git"), "main", null)).isEqualTo(second);
    assertThat(directory.resolve("out/b.txt")).hasContent("two");
    assertThat(directory.resolve("out/.git")).doesNotExist();

    for (String ref : new String[] {"v1", first}) {
      assertThat(fetched(server.url("tool.git"), ref, null)).isEqualTo(first);
      assertThat(directory.resolve("out/b.txt")).doesNotExist();
      assertThat(directory.resolve("out/a/Containerfile")).exists();
    }
  }

  @Test
  void writesDirectoriesOfOneCommitOneAfterTheOther() throws Exception {
    server.commit("tool.git", Map.of("a/x", text("x"), "b/c/y", text("y"), "z", text("z")));
    Path scratch = Files.createDirectory(directory.resolve("scratch"));

    FetchedCommit commit =
        fetch(LIMITS).fetch(remote(server.url("tool.git"), "main"), scratch, MINUTE);
    commit.write("a", directory.resolve("one"));
    commit.write("b/c", directory.resolve("two"));

    assertThat(directory.resolve("one")).isDirectoryContaining("glob:**/x");
    assertThat(directory.resolve("two")).isDirectoryContaining("glob:**/y");
    assertThat(directory.resolve("one").toFile().list()).hasSize(1);
    assertThat(directory.resolve("two").toFile().list()).hasSize(1);
    assertThatThrownBy(() -> commit.write("none", directory.resolve("three")))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("none");
    assertThat(directory.resolve("three")).doesNotExist();
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

    fetched(server.url("tool.git"), "main", "pass-3141");
    assertThat(directory.resolve("out/a")).exists();
  }

  @Test
  void refusesWhatIsTooLargeBeforeItIsWritten() throws Exception {
    byte[] zeros = new byte[5 << 20];
    server.commit("zeros.git", Map.of("zeros", zeros));
    assertThatThrownBy(() -> fetched(server.url("zeros.git"), "main", null))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("more than 100 files or 4 MB")
        .hasMessageContaining("with 5 MB");
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
    var few = new CodeLimits(1, 1L << 20);
    server.commit("tool.git", Map.of("a", text("a"), "b", text("b")));
    assertThatThrownBy(() -> fetched(fetch(few), remote(server.url("tool.git"), "main"), MINUTE))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("2 files");
    leavesNothing();
  }

  @Test
  void connectsToNoAddressThatIsNotAllowedAndFollowsNoRedirect() throws Exception {
    server.commit("tool.git", Map.of("a", text("a")));
    var closed = new GitFetch(LIMITS, address -> false, SearchPath.of(System.getenv()));
    assertThatThrownBy(() -> fetched(closed, remote(server.url("tool.git"), "main"), MINUTE))
        .isInstanceOf(GitException.class)
        .hasMessageContaining("127.0.0.1 is not on the Internet");
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
    assertThatThrownBy(
            () -> fetched(fetch(LIMITS), remote(server.url("tool.git"), "main"), Duration.ZERO))
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
  void refusesAddressesOfNoRepository(String url) {
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
