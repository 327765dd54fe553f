package io.orrery.gateway.http;

import io.orrery.core.tls.PemFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files for TLS of a port. They are read when it is bound, and again when they change.
 *
 * @param certificate the server's certificate, those that signed it after it
 * @param key its private key, without a password
 * @param authority the certificates that sign those of clients; null to ask no client for one
 * @param localPort where this machine's own clients and trials are served plain HTTP, at 127.0.0.1
 *     only: they cannot check a certificate that was made out to another name; 0 takes any free
 *     port
 */
public record TlsFiles(String certificate, String key, @Nullable String authority, int localPort) {
  PemFiles pem() {
    return new PemFiles(
        "/http/tls",
        Path.of(certificate),
        Path.of(key),
        authority == null ? null : Path.of(authority));
  }
}
