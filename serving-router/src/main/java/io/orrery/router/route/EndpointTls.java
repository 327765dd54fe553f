package io.orrery.router.route;

import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The TLS of the endpoints of a service. Certificates are part of the table, not files: a table may
 * be put in force by a server on another machine.
 *
 * @param authority certificates in PEM, one of which has signed those of the endpoints; null for
 *     the authorities that Java trusts
 * @param serverName the name in their certificates, which they are told as well; null for the host
 *     of each
 * @param verify whether their certificates are checked
 */
public record EndpointTls(@Nullable String authority, @Nullable String serverName, boolean verify) {
  /** The key of a service. */
  static final String TLS = "tls";

  /** What holds for endpoints of which nothing is said. */
  private static final EndpointTls STANDARD = new EndpointTls(null, null, true);

  /**
   * Reads it from a service.
   *
   * @return null when its endpoints have no TLS
   */
  static @Nullable EndpointTls read(Section service, Service.Protocol protocol) {
    boolean speaks = protocol == Service.Protocol.HTTPS;
    if (!service.has(TLS)) {
      return speaks ? STANDARD : null;
    }
    if (!speaks) {
      service.refuse(TLS, "tls says how endpoints of protocol: https are checked");
    }
    Section tls = service.section(TLS, "authority", "serverName", "verify");
    String authority = tls.text("authority");
    String serverName = tls.text("serverName");
    boolean verify = tls.flag("verify", true);
    if (authority != null) {
      tls.refuseIf("authority", faultOf(authority));
    }
    if (serverName != null && !serverName.matches(ServiceReader.PLAIN_HOST)) {
      tls.refuse("serverName", "a server's name is one without port; not '" + serverName + "'");
    }
    if (!verify && authority != null) {
      tls.refuse("verify", "verify: false takes any certificate; leave it or authority out");
    }
    return speaks ? new EndpointTls(authority, serverName, verify) : null;
  }

  private static @Nullable String faultOf(String pem) {
    try {
      // By the reader that will be asked to trust them: others take more forms.
      SslContextBuilder.forClient()
          .trustManager(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
      return null;
    } catch (IllegalArgumentException e) {
      return "authority has certificates in PEM (BEGIN CERTIFICATE), not the name of a file";
    }
  }
}
