package io.orrery.gateway.auth;

import io.orrery.core.access.Caller;
import io.orrery.core.access.UserRole;
import io.vertx.core.http.HttpServerRequest;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Finds the caller of a request that shows no secret, on a connection whose client has shown a
 * certificate of {@code http.tls.authority}: a service account that reads, named as it.
 */
final class CertificateLogins {
  private static final String COMMON_NAME = "CN";

  private CertificateLogins() {}

  /** The caller; null when the client has shown no certificate. */
  static @Nullable Caller find(HttpServerRequest request) {
    SSLSession session = request.isSSL() ? request.connection().sslSession() : null;
    if (session == null) {
      return null;
    }
    try {
      Certificate[] shown = session.getPeerCertificates();
      return shown.length > 0 && shown[0] instanceof X509Certificate certificate
          ? Caller.service(name(certificate), UserRole.VIEWER)
          : null;
    } catch (SSLPeerUnverifiedException e) {
      return null;
    }
  }

  private static String name(X509Certificate certificate) {
    String subject = certificate.getSubjectX500Principal().getName();
    try {
      // The most specific part comes last.
      for (Rdn part : new LdapName(subject).getRdns().reversed()) {
        Attribute name = part.toAttributes().get(COMMON_NAME);
        if (name != null) {
          return String.valueOf(name.get());
        }
      }
    } catch (NamingException e) {
      return subject;
    }
    return subject;
  }
}
