package io.orrery.gateway.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.gateway.EdgeServer;
import java.io.ByteArrayInputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page as files: addresses, types, how long they may be kept, what they may load. */
class PageFilesIT {
  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge = EdgeServer.start();
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  private String assets() throws Exception {
    Matcher found =
        Pattern.compile("src=\"(assets/[0-9a-f]+)/app.js\"").matcher(edge.get("/").body());
    assertThat(found.find()).isTrue();
    return "/" + found.group(1);
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void thePageIsAskedForEachTimeAndSentOnce() throws Exception {
    HttpResponse<String> page = edge.get("/");
    assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");
    assertThat(page.body()).doesNotContain("{{", "${");
    HttpResponse<String> again =
        edge.client()
            .send(
                edge.request("/").header("If-None-Match", header(page, "ETag")).build(),
                BodyHandlers.ofString());
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
  }

  @Test
  void onlyTheImportMapMayStandInline() throws Exception {
    HttpResponse<String> page = edge.get("/");
    Matcher inline =
        Pattern.compile("(?s)<script(?![^>]* src=)[^>]*>(.*?)</script>").matcher(page.body());
    assertThat(inline.find()).isTrue();
    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest(inline.group(1).getBytes(StandardCharsets.UTF_8));
    assertThat(header(page, "Content-Security-Policy"))
        .startsWith("default-src 'none'")
        .contains("script-src 'self' 'sha256-" + Base64.getEncoder().encodeToString(hash) + "'")
        .doesNotContain("unsafe");
    assertThat(inline.find()).isFalse();
  }

  @Test
  void aFileIsKeptForEverUnderTheAddressOfItsVersion() throws Exception {
    HttpResponse<String> file = edge.get(assets() + "/app.js");
    assertThat(file.statusCode()).isEqualTo(200);
    assertThat(header(file, "Content-Type")).isEqualTo("text/javascript; charset=utf-8");
    assertThat(header(file, "Cache-Control")).contains("immutable");
    assertThat(edge.get("/assets/0123456789abcdef/app.js").statusCode()).isEqualTo(404);
    assertThat(edge.get(assets() + "/style/tokens.css").statusCode()).isEqualTo(200);
  }

  @Test
  void aClientThatTakesGzipGetsTheSameBytesPacked() throws Exception {
    String path = assets() + "/api.js";
    HttpResponse<byte[]> packed =
        edge.client()
            .send(
                edge.request(path).header("Accept-Encoding", "gzip, br").build(),
                BodyHandlers.ofByteArray());
    assertThat(header(packed, "Content-Encoding")).isEqualTo("gzip");
    String unpacked =
        new String(
            new GZIPInputStream(new ByteArrayInputStream(packed.body())).readAllBytes(),
            StandardCharsets.UTF_8);
    assertThat(unpacked).isEqualTo(edge.get(path).body());
  }

  @Test
  void thePageNamesTheModulesOfThePagesThatEachFeatureAdds() throws Exception {
    assertThat(edge.get("/").body())
        .containsPattern("<link rel=\"modulepreload\" href=\"[^\"]+/services/pages.js\">")
        .containsPattern("data-page=\"service\" content=\"[^\"]*/services/service-page.js[ \"]")
        .containsPattern("data-page=\"about\" content=\"[^\"]*/about/about-page.js[ \"]");
  }

  @Test
  void everyLibraryThatTheImportMapNamesIsThere() throws Exception {
    Matcher library = Pattern.compile("\"\\./(lib/[^\"]+\\.js)\"").matcher(edge.get("/").body());
    int found = 0;
    while (library.find()) {
      assertThat(edge.get("/" + library.group(1)).statusCode()).as(library.group(1)).isEqualTo(200);
      found++;
    }
    assertThat(found).isEqualTo(15);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/lib/lit/3.3.3/../../../../ui/index.html",
        "/lib/lit/3.3.3/..%2f..%2fMETA-INF/MANIFEST.MF",
        "/lib/logback/1.0.0/logback.js",
        "/lib/lit/3.3.3/package.json",
        "/lib/",
        "/assets/index.html"
      })
  void nothingElseOfTheClassPathCanBeHad(String path) throws Exception {
    assertThat(edge.get(path).statusCode()).isEqualTo(404);
  }
}
