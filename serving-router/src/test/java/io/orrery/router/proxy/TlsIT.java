package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.route.RouterFile;
import io.orrery.router.route.RouterFile.Tls;
import io.orrery.router.run.Router;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS: which certificate is shown, and how it is replaced. */
class TlsIT extends RouterIT {
  @TempDir Path directory;

  @Test
  void theCertificateIsTheOneForTheNameAndCanBeReplaced() throws Exception {
    Upstream upstream = opened(Upstream.named(vertx, "a"));
    Tls first = certificate("first", List.of());
    Tls exact = certificate("exact", List.of("a.service.orrery.localhost"));
    Tls wild = certificate("wild", List.of("*.vision.orrery.localhost"));
    router =
        Router.start(
            new RouterFile.Listen(
                new RouterFile.Address("127.0.0.1", 0),
                1,
                List.of(first, exact, wild),
                fastPath,
                false),
            table("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n"),
            null,
            null);

    assertThat(shown("a.service.orrery.localhost")).isEqualTo("CN=exact");
    assertThat(shown("x.vision.orrery.localhost")).isEqualTo("CN=wild");
    assertThat(shown("other.orrery.localhost")).isEqualTo("CN=first");

    Tls renewed = certificate("renewed", List.of("a.service.orrery.localhost"));
    router.certificates(List.of(first, renewed)).await(10, SECONDS);
    assertThat(shown("a.service.orrery.localhost")).isEqualTo("CN=renewed");

    Tls broken = new Tls(List.of(), directory.resolve("none.pem"), directory.resolve("none.key"));
    assertThat(router.certificates(List.of(broken)).otherwiseEmpty().await(10, SECONDS)).isNull();
    assertThat(shown("a.service.orrery.localhost")).isEqualTo("CN=renewed");
  }

  /** The subject of the certificate that a client is shown which asks for this name. */
  private String shown(String name) throws Exception {
    SSLContext context = TestCertificates.trusting();
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), router.port());
        SSLSocket socket =
            (SSLSocket) context.getSocketFactory().createSocket(plain, name, router.port(), true)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(name)));
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nConnection: close\r\n\r\n"
                  .getBytes());
      assertThat(new String(socket.getInputStream().readAllBytes())).startsWith("HTTP/1.1 200");
      X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return certificate.getSubjectX500Principal().getName();
    }
  }

  private Tls certificate(String name, List<String> hosts) throws Exception {
    return TestCertificates.certificate(directory, name, hosts);
  }
}
