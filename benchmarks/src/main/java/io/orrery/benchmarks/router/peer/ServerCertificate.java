package io.orrery.benchmarks.router.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A certificate of P-256 for every host of a scenario, which signs itself.
 *
 * @param certificate PEM
 * @param key PEM
 * @param both one file with the certificate and the key, as HAProxy wants them
 */
public record ServerCertificate(Path certificate, Path key, Path both) {
  private static final String PASSWORD = "changeit";

  /** Makes one, and its files in a folder. */
  public static ServerCertificate make(Path folder) throws IOException, InterruptedException {
    Path store = folder.resolve("certificate.p12");
    int status =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "k",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=benchmark",
                "-ext",
                "san=dns:" + EndpointLayout.host("s0") + ",ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start()
            .waitFor();
    if (status != 0) {
      throw new IOException(
          "keytool made no certificate: " + Files.readString(folder.resolve("keytool.log")));
    }
    try {
      char[] password = PASSWORD.toCharArray();
      KeyStore keys = KeyStore.getInstance(store.toFile(), password);
      String certificate = pem("CERTIFICATE", keys.getCertificate("k").getEncoded());
      String key = pem("PRIVATE KEY", keys.getKey("k", password).getEncoded());
      return new ServerCertificate(
          Files.writeString(folder.resolve("certificate.pem"), certificate),
          Files.writeString(folder.resolve("certificate.key"), key),
          Files.writeString(folder.resolve("certificate.both"), certificate + key));
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate cannot be read", e);
    }
  }

  private static String pem(String kind, byte[] bytes) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
  }
}
