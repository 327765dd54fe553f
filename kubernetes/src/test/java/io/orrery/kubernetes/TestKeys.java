package io.orrery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

/** Makes the key and the certificate of a server, which vouches for itself. */
final class TestKeys {
  /** The password of the key store. */
  static final String PASSWORD = "secret";

  private TestKeys() {}

  /**
   * Writes {@code keys.p12}, {@code certificate} and {@code key}.
   *
   * @param name the only host name of the certificate
   * @return the key store
   */
  static Path write(Path directory, String name) throws Exception {
    Path store = directory.resolve("keys.p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process process =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "us",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=us",
                "-ext",
                "san=dns:" + name,
                "-ext",
                "bc=ca:true",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    assertThat(process.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(store)) {
      keys.load(file, PASSWORD.toCharArray());
    }
    pem(directory.resolve("certificate"), "CERTIFICATE", keys.getCertificate("us").getEncoded());
    pem(
        directory.resolve("key"),
        "PRIVATE KEY",
        keys.getKey("us", PASSWORD.toCharArray()).getEncoded());
    return store;
  }

  private static void pem(Path file, String type, byte[] content) throws IOException {
    Files.writeString(
        file,
        "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
            .formatted(type, Base64.getMimeEncoder().encodeToString(content)));
  }
}
