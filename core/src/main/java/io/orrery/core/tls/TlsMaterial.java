package io.orrery.core.tls;

import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate, key and authority of {@link PemFiles}, which {@link #refresh} reads again. What
 * was made of it before then uses the new ones for each new connection. Threadsafe.
 */
public final class TlsMaterial {
  private static final List<String> KEY_TYPES = List.of("RSA", "EC", "EdDSA");

  private final PemFiles files;
  private final ReloadedKeys keys = new ReloadedKeys();
  private final ReloadedTrust trust = new ReloadedTrust();
  private volatile Loaded loaded;

  /**
   * The contents of the files as they were read.
   *
   * @param end when the first of the own certificate and those that signed it ends; null without
   */
  private record Loaded(
      @Nullable Buffer certificate,
      @Nullable Buffer key,
      @Nullable Buffer authority,
      @Nullable Instant end) {
    boolean isSame(Loaded other) {
      return Objects.equals(certificate, other.certificate)
          && Objects.equals(key, other.key)
          && Objects.equals(authority, other.authority);
    }
  }

  private TlsMaterial(PemFiles files) {
    this.files = files;
    this.loaded = load();
  }

  /**
   * Reads the files; blocks.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when they cannot be used
   */
  public static TlsMaterial read(PemFiles files) {
    return new TlsMaterial(files);
  }

  /** The files that it was read from. */
  public PemFiles files() {
    return files;
  }

  /**
   * Reads the files again; blocks. When they cannot be used, what was read before stays.
   *
   * @return whether anything has changed
   * @throws io.orrery.core.problem.ProblemException Refused when they cannot be used
   */
  public boolean refresh() {
    Loaded before = loaded;
    loaded = load();
    return !loaded.isSame(before);
  }

  private Loaded load() {
    try {
      Buffer certificate = bytes(files.certificate());
      Buffer key = bytes(files.key());
      Buffer authority = bytes(files.authority());
      X509ExtendedKeyManager freshKeys =
          certificate == null || key == null ? null : keys(certificate, key);
      X509ExtendedTrustManager freshTrust = authority == null ? null : trust(authority);
      Instant end = certificate == null ? null : end(certificate);
      keys.set(freshKeys);
      trust.set(freshTrust);
      return new Loaded(certificate, key, authority, end);
    } catch (IOException e) {
      throw refused(FileFault.words(e));
    } catch (Exception e) { // Vert.x says that making a factory throws any
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  private RuntimeException refused(String why) {
    return new Problem.Refused(
            new Finding(
                files.pointer(),
                "certificate %s, key %s and authority %s cannot be used: %s"
                    .formatted(files.certificate(), files.key(), files.authority(), why)))
        .toException();
  }

  private static @Nullable Buffer bytes(@Nullable Path file) throws IOException {
    return file == null ? null : Buffer.buffer(Files.readAllBytes(file));
  }

  /** Refuses a key of another certificate: of two files that are replaced, one is first. */
  private static X509ExtendedKeyManager keys(Buffer certificate, Buffer key) throws Exception {
    KeyManager[] managers =
        new PemKeyCertOptions()
            .addCertValue(certificate)
            .addKeyValue(key)
            .getKeyManagerFactory(null)
            .getKeyManagers();
    X509ExtendedKeyManager keys = (X509ExtendedKeyManager) managers[0];
    for (String type : KEY_TYPES) {
      String[] aliases = keys.getServerAliases(type, null);
      if (aliases != null && aliases.length > 0) {
        check(keys.getPrivateKey(aliases[0]), keys.getCertificateChain(aliases[0])[0]);
      }
    }
    return keys;
  }

  private static void check(PrivateKey key, X509Certificate certificate)
      throws GeneralSecurityException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    byte[] text = certificate.getEncoded();
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(text);
    byte[] signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    signature.update(text);
    if (!signature.verify(signed)) {
      throw new GeneralSecurityException("the key is not that of the certificate");
    }
  }

  private static X509ExtendedTrustManager trust(Buffer authority) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (Certificate each : certificates(authority)) {
      trusted.setCertificateEntry("authority-" + trusted.size(), each);
    }
    if (trusted.size() == 0) {
      throw new GeneralSecurityException("the file of the authority has no certificate");
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(trusted);
    return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
  }

  private static Collection<? extends Certificate> certificates(Buffer pem)
      throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(pem.getBytes()));
  }

  private static Instant end(Buffer certificate) throws GeneralSecurityException {
    Instant end = Instant.MAX;
    for (Certificate each : certificates(certificate)) {
      Instant its = ((X509Certificate) each).getNotAfter().toInstant();
      end = its.isBefore(end) ? its : end;
    }
    return end;
  }

  /** When the own certificate, or one of those that signed it, ends; null without one. */
  public @Nullable Instant end() {
    return loaded.end();
  }

  /** Whether the other side must, or may, show a certificate of the authority. */
  public boolean hasAuthority() {
    return files.authority() != null;
  }

  /** Whether there is a certificate to show. */
  public boolean hasCertificate() {
    return files.certificate() != null;
  }

  /** The own certificate for a listener or client; it is always the newest. */
  public KeyCertOptions keyCertOptions() {
    return KeyCertOptions.wrap(keys);
  }

  /** The authority for a listener or client; it is always the newest. */
  public TrustOptions trustOptions() {
    return TrustOptions.wrap(trust);
  }

  /** The certificate as it is now, for what takes nothing else. */
  public PemKeyCertOptions pemKeyCertOptions() {
    return new PemKeyCertOptions()
        .addCertValue(Objects.requireNonNull(loaded.certificate()))
        .addKeyValue(Objects.requireNonNull(loaded.key()));
  }

  /** The authority as it is now, for what takes nothing else. */
  public PemTrustOptions pemTrustOptions() {
    return new PemTrustOptions().addCertValue(Objects.requireNonNull(loaded.authority()));
  }

  /** A context whose engines show and ask for the newest certificates. */
  public SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(
          hasCertificate() ? new KeyManager[] {keys} : null,
          hasAuthority() ? new TrustManager[] {trust} : null,
          new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }
}
