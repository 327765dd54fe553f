package io.orrery.router.proxy;

import io.orrery.router.route.ClientAddress;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The other end of a client's connection, in the words of the headers that tell of it. */
final class Peer {
  /** How long a connection may be open without a complete request head or a request at work. */
  private static final Duration MOST_IDLE = Duration.ofSeconds(75);

  private final ClientAddress address;
  private final String scheme;
  private final CharSequence addressLine;
  private final CharSequence schemeLine;
  private final String forwarded;
  private final TrailerReader trailers;
  private @Nullable Told told;
  private int exchanges;
  private long idleSince;

  private Peer(
      ClientAddress address, String scheme, String forwarded, TrailerReader trailers, long now) {
    this.address = address;
    this.scheme = scheme;
    this.addressLine = HttpHeaders.createOptimized(address.text());
    this.schemeLine = HttpHeaders.createOptimized(scheme);
    this.forwarded = forwarded;
    this.trailers = trailers;
    this.idleSince = now;
  }

  static Peer of(HttpConnection connection, long now) {
    ClientAddress address = ClientAddress.of(connection.remoteAddress().hostAddress());
    String scheme = connection.isSsl() ? "https" : "http";
    String text = address.text();
    String node = text.indexOf(':') < 0 ? text : "\"[" + text + "]\"";
    return new Peer(
        address,
        scheme,
        "for=" + node + ";proto=" + scheme + ";host=",
        TrailerReader.on(connection),
        now);
  }

  /** Without port. */
  ClientAddress address() {
    return address;
  }

  /** http or https. */
  String scheme() {
    return scheme;
  }

  /**
   * What endpoints are told of it, in the form in which it is cheapest to write.
   *
   * @param authority that it asked for
   * @param address X-Forwarded-For
   * @param scheme X-Forwarded-Proto
   * @param forwarded its element in Forwarded (RFC 7239)
   */
  record Told(
      CharSequence authority, CharSequence address, CharSequence scheme, CharSequence forwarded) {}

  /** Nearly always the same for all requests of a connection, and then made once. */
  Told told(String authority) {
    Told known = told;
    if (known == null || !known.authority().toString().equals(authority)) {
      known =
          new Told(
              HttpHeaders.createOptimized(authority),
              addressLine,
              schemeLine,
              HttpHeaders.createOptimized(forwarded + quoted(authority)));
      told = known;
    }
    return known;
  }

  private static String quoted(String authority) {
    return authority.indexOf(':') < 0 && authority.indexOf('[') < 0
        ? authority
        : '"' + authority + '"';
  }

  /** The trailers of its requests. */
  TrailerReader trailers() {
    return trailers;
  }

  /** A request is at work. */
  void enter() {
    exchanges++;
  }

  /** It is over. */
  void leave(long now) {
    exchanges--;
    idleSince = now;
  }

  /** A request was answered at once. */
  void seen(long now) {
    idleSince = now;
  }

  /** Whether nothing has come of it for too long. */
  boolean tooIdle(long now) {
    return exchanges == 0 && now - idleSince > MOST_IDLE.toNanos();
  }
}
