package io.orrery.router.proxy;

import io.vertx.core.http.HttpConnection;

/**
 * The other end of a client's connection, in the words of the headers that tell an endpoint of it.
 * Made once for a connection.
 *
 * @param address without port
 * @param scheme http or https
 * @param forwarded the beginning of its element in Forwarded (RFC 7239)
 */
record Peer(String address, String scheme, String forwarded) {
  static Peer of(HttpConnection connection) {
    String address = connection.remoteAddress().hostAddress();
    String plain = address == null ? "unknown" : address;
    String scheme = connection.isSsl() ? "https" : "http";
    String node = plain.indexOf(':') < 0 ? plain : "\"[" + plain + "]\"";
    return new Peer(plain, scheme, "for=" + node + ";proto=" + scheme + ";host=");
  }
}
