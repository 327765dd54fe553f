package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;
import io.orrery.gateway.auth.AccessToken;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.TlsFiles;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port with a certificate that this test makes. */
class TlsIT {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final BearerToken TOKEN = new BearerToken("a secret of this test");

  @TempDir Path directory;
  private EdgeServer edge;
  private HttpClient client;

  @BeforeEach
  void start() throws Exception {
    KeyStore keys = certificate();
    TlsFiles files =
        new TlsFiles(
            pem("CERTIFICATE", keys.getCertificate("server").getEncoded()),
            pem("PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded()),
            null,
            0);
    edge =
        EdgeServer.start(
            EdgeOptions.loopback(0).withTls(files),
            List.of(AccessToken.of("ci", UserRole.ADMIN, TOKEN)));
    client = HttpClient.newBuilder().sslContext(trusting(keys)).build();
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    edge.close();
  }

  @Test
  void thePortSpeaksTls() throws Exception {
    HttpResponse<String> answer = send("GET", "/health/live", "");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.sslSession()).isPresent();
  }

  @Test
  void thePortSpeaksNothingElse() throws Exception {
    try (RawClient raw = edge.raw()) {
      raw.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(raw.rest()).doesNotContain("HTTP/1.1 200");
    }
  }

  @Test
  void aSessionCookieIsForTlsAlone() throws Exception {
    HttpResponse<String> login =
        send("POST", "/api/v1/session", "{\"token\":\"" + TOKEN.text() + "\"}");

    assertThat(login.headers().firstValue("Set-Cookie").orElseThrow()).contains("Secure");
  }

  @Test
  void thisMachineIsServedPlainHttpBesides() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + edge.localPort() + "/api/v1/session"))
            .header("Authorization", "Bearer " + TOKEN.text())
            .build();

    assertThat(client.send(request, BodyHandlers.ofString()).body()).contains("\"ci\"");
  }

  @Test
  void filesThatHoldNoKeyFailTheStart() throws Exception {
    Path nothing = Files.writeString(directory.resolve("nothing.pem"), "nothing\n");
    TlsFiles files = new TlsFiles(nothing.toString(), nothing.toString(), null, 0);

    assertThatThrownBy(() -> EdgeServer.start(EdgeOptions.loopback(0).withTls(files)))
        .isInstanceOf(Exception.class);
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("https://localhost:" + edge.port() + path))
            .method(method, BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private KeyStore certificate() throws Exception {
    Path store = directory.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor(50, TimeUnit.SECONDS)).isTrue();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private String pem(String kind, byte[] content) throws Exception {
    String text =
        "-----BEGIN %s-----%n%s%n-----END %s-----%n"
            .formatted(kind, Base64.getMimeEncoder().encodeToString(content), kind);
    return Files.writeString(directory.resolve(kind.replace(' ', '-') + ".pem"), text).toString();
  }

  private static SSLContext trusting(KeyStore keys) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("server", keys.getCertificate("server"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
