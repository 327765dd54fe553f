package io.orrery.orchestrator.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.orrery.core.digest.Sha256;
import io.orrery.core.workload.ModelSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Downloads models from a server of this machine. */
class ModelDownloadTest {
  private static final ModelDownload.Limits SMALL =
      new ModelDownload.Limits(1 << 20, 4 << 20, 5, 0, Duration.ofSeconds(5));

  @TempDir Path directory;
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  private String serve(String path, byte[] content) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content);
          }
        });
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private void fetch(String url, @Nullable String digest) throws IOException {
    new ModelDownload(SMALL, InetAddress::isLoopbackAddress)
        .fetch(new ModelSource(url, digest), directory);
  }

  private List<String> files() throws IOException {
    try (var all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile)
          .map(file -> directory.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  private record Entry(String name, byte[] content, byte kind) {
    static Entry file(String name) {
      return new Entry(name, name.getBytes(StandardCharsets.UTF_8), TarConstants.LF_NORMAL);
    }
  }

  private static byte[] tarOf(Entry... entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new GZIPOutputStream(bytes), "UTF-8")) {
      for (Entry entry : entries) {
        TarArchiveEntry header = new TarArchiveEntry(entry.name(), entry.kind(), true);
        if (entry.kind() == TarConstants.LF_NORMAL) {
          header.setSize(entry.content().length);
        } else {
          header.setLinkName("/etc/passwd");
        }
        tar.putArchiveEntry(header);
        if (entry.kind() == TarConstants.LF_NORMAL) {
          tar.write(entry.content());
        }
        tar.closeArchiveEntry();
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void aFileIsTakenAsItIsWhenItsDigestIsRight() throws IOException {
    byte[] content = {1, 2, 3};
    String url = serve("/digits.onnx", content);
    fetch(url + "?signature=x", Sha256.hex(content));

    assertThat(files()).containsExactly("digits.onnx");
    assertThat(directory.resolve("digits.onnx")).hasBinaryContent(content);
  }

  @Test
  void anotherDigestIsRefused() {
    String url = serve("/digits.onnx", new byte[] {1});
    assertThatThrownBy(() -> fetch(url, "ab".repeat(32)))
        .hasMessageContaining("not sha256:abab")
        .hasMessageContaining(url);
  }

  @Test
  void anArchiveIsUnpackedAndItsOnlyDirectoryLeftOut() throws IOException {
    fetch(
        serve("/m.tar.gz", tarOf(Entry.file("digits/a.txt"), Entry.file("digits/digits/b"))), null);

    assertThat(files()).containsExactly("a.txt", "digits/b");
  }

  @Test
  void aZipIsUnpacked() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(bytes)) {
      for (String name : List.of("1/model.onnx", "config.pbtxt")) {
        zip.putArchiveEntry(new ZipArchiveEntry(name));
        zip.write(7);
        zip.closeArchiveEntry();
      }
    }
    fetch(serve("/m.zip", bytes.toByteArray()), null);

    assertThat(files()).containsExactly("1/model.onnx", "config.pbtxt");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../outside", "/etc/outside", "a/../../outside", "a/../b"})
  void anEntryOutsideIsRefused(String name) throws IOException {
    String url = serve("/m.tar.gz", tarOf(Entry.file("in"), Entry.file(name)));
    assertThatThrownBy(() -> fetch(url, null)).hasMessageContaining("lies outside");
    assertThat(directory.resolveSibling("outside")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(bytes = {TarConstants.LF_SYMLINK, TarConstants.LF_LINK, TarConstants.LF_FIFO})
  void aLinkOrAPipeIsRefused(byte kind) throws IOException {
    String url = serve("/m.tar.gz", tarOf(new Entry("link", new byte[0], kind)));
    assertThatThrownBy(() -> fetch(url, null)).hasMessageContaining("no file or directory");
    assertThat(files()).isEmpty();
  }

  @Test
  void anArchiveThatIsLargerInsideThanAllowedIsRefused() throws IOException {
    byte[] packed = tarOf(new Entry("zeros", new byte[(4 << 20) + 1], TarConstants.LF_NORMAL));
    assertThat(packed.length).isLessThan(1 << 20);
    String url = serve("/bomb.tar.gz", packed);
    assertThatThrownBy(() -> fetch(url, null)).hasMessageContaining("more than 4,194,304 bytes");
  }

  @Test
  void aFileOrANumberOfFilesBeyondTheLimitIsRefused() throws IOException {
    String large = serve("/large", new byte[(1 << 20) + 1]);
    assertThatThrownBy(() -> fetch(large, null)).hasMessageContaining("more than 1,048,576 bytes");
    Entry[] many = new Entry[6];
    for (int i = 0; i < many.length; i++) {
      many[i] = Entry.file("f" + i);
    }
    String url = serve("/many.tar.gz", tarOf(many));
    assertThatThrownBy(() -> fetch(url, null)).hasMessageContaining("more than 5 entries");
  }

  @Test
  void aDiskWithoutRoomIsSaid() {
    String url = serve("/m", new byte[] {1});
    ModelDownload.Limits none =
        new ModelDownload.Limits(10, 10, 10, Long.MAX_VALUE, Duration.ofSeconds(5));
    assertThatThrownBy(() ->
            new ModelDownload(none, InetAddress::isLoopbackAddress)
                .fetch(new ModelSource(url, null), directory))
        .hasMessageContaining("no room");
  }

  @Test
  void aServerThatLeadsToAFileOrALinkLocalAddressIsNotFollowed() {
    for (String to : List.of("file:///etc/passwd", "http://169.254.169.254/latest")) {
      String path = "/to" + to.hashCode();
      server.createContext(
          path,
          exchange -> {
            try (exchange) {
              exchange.getResponseHeaders().add("Location", to);
              exchange.sendResponseHeaders(302, -1);
            }
          });
      String url = "http://127.0.0.1:" + server.getAddress().getPort() + path;
      assertThatThrownBy(() -> fetch(url, null))
          .hasMessageContainingAll(url)
          .hasMessageMatching(".*(leads to|link-local).*");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://[fd00:ec2::254]/latest/meta-data",
        "http://100.100.100.200/latest/meta-data",
        "http://[::ffff:100.100.100.200]/latest/meta-data",
        "http://[::ffff:169.254.169.254]/latest/meta-data",
        "http://a b"
      })
  void noRedirectLeadsToWhatACloudSaysOfItsMachineOrToNoAddress(String location) {
    server.createContext(
        "/leads",
        exchange -> {
          try (exchange) {
            exchange.getResponseHeaders().set("Location", location);
            exchange.sendResponseHeaders(302, -1);
          }
        });
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/leads";
    assertThatThrownBy(() -> fetch(url, null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("could not download " + url)
        .hasMessageMatching(".*(what is no address|which is not asked).*");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "localhost",
        "[::1]",
        "10.0.0.7",
        "192.168.1.2",
        "172.16.0.1",
        "0.0.0.0",
        "[::ffff:127.0.0.1]",
        "[fd00::7]",
        "2130706433"
      })
  void anAddressInsideIsNotAskedUnlessItsNetworkIsAllowed(String host) {
    serve("/inside", new byte[] {1});
    String url = "http://%s:%d/inside".formatted(host, server.getAddress().getPort());
    assertThatThrownBy(() ->
            new ModelDownload(SMALL, address -> false).fetch(new ModelSource(url, null), directory))
        .hasMessageContaining("models.networks");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void noRedirectLeadsInsideEither() {
    server.createContext(
        "/leads",
        exchange -> {
          try (exchange) {
            exchange.getResponseHeaders().set("Location", "http://10.0.0.7/inside");
            exchange.sendResponseHeaders(302, -1);
          }
        });
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/leads";
    assertThatThrownBy(() -> fetch(url, null))
        .hasMessageContainingAll("10.0.0.7", "models.networks");
  }

  @Test
  void whatIsNotThereIsSaid() {
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/nothing";
    assertThatThrownBy(() -> fetch(url, null)).hasMessageContaining("its server answers 404");
  }

  @Test
  void aBodyOfChunksComesWholeAndOneThatBreaksOffIsRefused() throws IOException {
    byte[] content = "0123456789".repeat(20_000).getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/chunks.bin",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(content);
          }
        });
    server.createContext(
        "/broken.bin",
        exchange -> {
          exchange.sendResponseHeaders(200, content.length);
          exchange.getResponseBody().write(content, 0, 100);
          exchange.getResponseBody().flush();
          // Without the rest: its stream fails to close.
          exchange.getHttpContext().getServer().stop(0);
        });
    String at = "http://127.0.0.1:" + server.getAddress().getPort();

    fetch(at + "/chunks.bin", Sha256.hex(content));

    assertThat(files()).containsExactly("chunks.bin");
    assertThatThrownBy(() -> fetch(at + "/broken.bin", null))
        .hasMessageContaining("closed the connection before the end");
  }

  /** A host that means another address at the second look gets no request at that one. */
  @Test
  void onlyTheAddressThatWasCheckedIsConnectedTo() throws IOException {
    URI at = URI.create("http://rebound.invalid:%d/x".formatted(server.getAddress().getPort()));

    try (PinnedGet answer =
        new PinnedGet(at, List.of(InetAddress.getLoopbackAddress()), Duration.ofSeconds(5))) {
      assertThat(answer.status()).isEqualTo(404);
    }
  }
}
