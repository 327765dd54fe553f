package io.orrery.router.proxy;

import io.orrery.router.route.RouterFile.Tls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Certificates of tests, and clients that trust all of them. */
public final class TestCertificates {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private TestCertificates() {}

  /** One for all tests that do not look at it; made when it is first asked for. */
  public static Tls any() {
    return Any.ONE;
  }

  private static final class Any {
    static final Tls ONE = make();

    private static Tls make() {
      try {
        Path directory = Files.createTempDirectory("orrery-certificate");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
        return certificate(directory, "any", List.of());
      } catch (Exception e) {
        throw new IllegalStateException("a certificate cannot be made", e);
      }
    }

    private static void delete(Path directory) {
      for (String name : List.of("any.p12", "any.pem", "any.key", "")) {
        try {
          Files.deleteIfExists(directory.resolve(name));
        } catch (IOException e) {
          // A file of a test in the folder for temporary ones.
        }
      }
    }
  }

  /** Makes one with the subject {@code CN=name}, and its files in a folder. */
  static Tls certificate(Path directory, String name, List<String> hosts) throws Exception {
    Path store = directory.resolve(name + ".p12");
    Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    new ProcessBuilder(
            tool.toString(),
            "-genkeypair",
            "-alias",
            "k",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-dname",
            "CN=" + name,
            "-validity",
            "2",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            "changeit")
        .redirectErrorStream(true)
        .start()
        .waitFor();
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
    return new Tls(
        hosts,
        pem(directory, name + ".pem", "CERTIFICATE", keys.getCertificate("k").getEncoded()),
        pem(directory, name + ".key", "PRIVATE KEY", keys.getKey("k", PASSWORD).getEncoded()));
  }

  private static Path pem(Path directory, String file, String kind, byte[] bytes)
      throws IOException {
    String text = Base64.getMimeEncoder(64, "\n".getBytes()).encodeToString(bytes);
    return Files.writeString(
        directory.resolve(file),
        "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }

  /** The TLS of a client that trusts every server. */
  public static SSLContext trusting() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Trusting()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Java has no TLS", e);
    }
  }

  private static final class Trusting implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
