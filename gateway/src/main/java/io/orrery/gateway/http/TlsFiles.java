package io.orrery.gateway.http;

/**
 * The PEM files for TLS of a port, which are read when it is bound.
 *
 * @param certificate the server's certificate, those that signed it after it
 * @param key its private key, without a password
 * @param localPort where this machine's own clients and trials are served plain HTTP, at 127.0.0.1
 *     only: they cannot check a certificate that was made out to another name; 0 takes any free
 *     port
 */
public record TlsFiles(String certificate, String key, int localPort) {}
