package io.orrery.core.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** A trust manager that asks the one that was set last, and trusts no certificate without one. */
final class ReloadedTrust extends X509ExtendedTrustManager {
  private volatile @Nullable X509ExtendedTrustManager trust;

  void set(@Nullable X509ExtendedTrustManager fresh) {
    trust = fresh;
  }

  private X509ExtendedTrustManager now() throws CertificateException {
    X509ExtendedTrustManager now = trust;
    if (now == null) {
      throw new CertificateException("no authority is configured");
    }
    return now;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    now().checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    now().checkClientTrusted(chain, type, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    now().checkClientTrusted(chain, type, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    now().checkServerTrusted(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    now().checkServerTrusted(chain, type, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    now().checkServerTrusted(chain, type, engine);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    X509ExtendedTrustManager now = trust;
    return now == null ? new X509Certificate[0] : now.getAcceptedIssuers();
  }
}
