package io.orrery.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** An authority that signs certificates, made by keytool below a directory. */
public final class TestAuthority {
  private static final String PASSWORD = "changeit";

  private final Path directory;
  private final Path store;

  /** A certificate and its key, as PEM files. */
  public record Issued(Path certificate, Path key) {}

  public TestAuthority(Path directory) throws Exception {
    this.directory = Files.createDirectories(directory);
    this.store = directory.resolve("authority.p12");
    keytool(
        "-genkeypair",
        "-alias",
        "authority",
        "-keyalg",
        "EC",
        "-dname",
        "CN=authority",
        "-ext",
        "bc:c=ca:true",
        "-validity",
        "3650");
    pem(certificate(), "CERTIFICATE", keys().getCertificate("authority").getEncoded());
  }

  /** The certificate of the authority itself, as a PEM file. */
  public Path certificate() {
    return directory.resolve("authority.pem");
  }

  /** Signs a certificate for this machine; one that was there under the name is replaced. */
  public Issued issue(String name, int days) throws Exception {
    return issue(name, days, "dns:localhost,ip:127.0.0.1");
  }

  /**
   * Signs one for other names.
   *
   * @param names as keytool has them, such as {@code dns:example.com}
   */
  public Issued issue(String name, int days, String names) throws Exception {
    KeyStore before = keys();
    if (before.containsAlias(name)) {
      keytool("-delete", "-alias", name);
    }
    keytool(
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "EC",
        "-dname",
        "CN=" + name,
        "-signer",
        "authority",
        "-validity",
        Integer.toString(days),
        "-ext",
        "san=" + names,
        "-ext",
        "eku=serverAuth,clientAuth");
    KeyStore keys = keys();
    Issued issued = new Issued(directory.resolve(name + ".pem"), directory.resolve(name + ".key"));
    pem(issued.key(), "PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
    pem(issued.certificate(), "CERTIFICATE", keys.getCertificate(name).getEncoded());
    return issued;
  }

  /** The number of the certificate that was signed last under a name. */
  public BigInteger serial(String name) throws Exception {
    return ((X509Certificate) keys().getCertificate(name)).getSerialNumber();
  }

  /** What a client with a certificate needs. */
  public SSLContext client(String name) throws Exception {
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    KeyStore keys = keys();
    own.setKeyEntry(
        name,
        keys.getKey(name, PASSWORD.toCharArray()),
        PASSWORD.toCharArray(),
        keys.getCertificateChain(name));
    KeyManagerFactory shown = KeyManagerFactory.getInstance("SunX509");
    shown.init(own, PASSWORD.toCharArray());
    return context(shown.getKeyManagers());
  }

  /** What a client without one needs. */
  public SSLContext stranger() throws Exception {
    return context(null);
  }

  private SSLContext context(KeyManager[] shown) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("authority", keys().getCertificate("authority"));
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(shown, trust.getTrustManagers(), null);
    return context;
  }

  /**
   * The certificate that a port shows to a client that sends some bytes; fails when the port closes
   * the connection because of who the client is.
   */
  public static X509Certificate shown(SSLContext client, int port, byte[] hello)
      throws IOException {
    try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(20));
      socket.startHandshake();
      socket.getOutputStream().write(hello);
      socket.getOutputStream().flush();
      if (hello.length > 0 && socket.getInputStream().read() < 0) {
        throw new IOException("the port closed the connection");
      }
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  /** What a port answers to bytes without TLS, until it closes the connection. */
  public static byte[] plainAnswer(int port, byte[] hello) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(20));
      socket.getOutputStream().write(hello);
      return socket.getInputStream().readAllBytes();
    }
  }

  private KeyStore keys() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private void keytool(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(arguments));
    command.addAll(
        List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
    Process keytool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(keytool.exitValue()).as(Files.readString(directory.resolve("keytool.log"))).isZero();
  }

  /** Replaces the file at once, as who renews certificates should. */
  private static void pem(Path file, String kind, byte[] content) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".fresh");
    Files.writeString(
        fresh,
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(kind, Base64.getMimeEncoder().encodeToString(content), kind));
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
