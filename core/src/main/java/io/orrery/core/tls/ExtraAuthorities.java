package io.orrery.core.tls;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts the authorities of the file that {@code SSL_CERT_FILE} names besides those of Java, in all
 * clients of this process that do not name authorities of their own. OpenSSL, Python, curl and Go
 * read the same variable.
 */
public final class ExtraAuthorities {
  public static final String VARIABLE = "SSL_CERT_FILE";
  private static final String STORE = "javax.net.ssl.trustStore";
  private static final String TYPE = "javax.net.ssl.trustStoreType";

  private ExtraAuthorities() {}

  /**
   * Trusts them from now on; to be called before the first connection.
   *
   * @return the reason why it could not; null when it could, or nothing was asked for
   */
  public static @Nullable String trust(Map<String, String> environment) {
    String named = environment.get(VARIABLE);
    if (named == null || named.isEmpty() || System.getProperty(STORE) != null) {
      return null;
    }
    try {
      Path store = store(Path.of(named));
      System.setProperty(STORE, store.toString());
      System.setProperty(TYPE, "JKS");
      return null;
    } catch (IOException | GeneralSecurityException | RuntimeException unreadable) {
      return "could not trust the certificates of " + named + " ($SSL_CERT_FILE): " + unreadable;
    }
  }

  /** Writes a trust store, for its owner alone; Java reads it again with each new client. */
  private static Path store(Path pem) throws IOException, GeneralSecurityException {
    // A JKS, which Java reads without a password.
    KeyStore all = KeyStore.getInstance("JKS");
    all.load(null, null);
    TrustManagerFactory java =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    java.init((KeyStore) null);
    for (TrustManager each : java.getTrustManagers()) {
      if (each instanceof X509TrustManager known) {
        for (Certificate authority : known.getAcceptedIssuers()) {
          all.setCertificateEntry("java-" + all.size(), authority);
        }
      }
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(pem))) {
      for (Certificate own : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        all.setCertificateEntry("own-" + all.size(), own);
      }
    }
    Path file = Files.createTempFile("orrery-trust-", ".jks");
    file.toFile().deleteOnExit();
    try (OutputStream out = Files.newOutputStream(file)) {
      all.store(out, "not secret".toCharArray());
    }
    return file;
  }
}
