package io.orrery.router.wire;

import io.orrery.router.route.ClientAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The forwarding headers that make a client known to endpoints: the fields that are added to its
 * requests for one host. They are the same for every request of a connection that says nothing of
 * others itself, so they are made once. The rules are those of {@code HeaderRules}.
 */
final class ForwardedHeaders {
  private static final String VIA_1_1 = "1.1 orrery";
  private static final String VIA_2 = "2.0 orrery";

  private final String address;
  private final String scheme;
  private final String authority;
  private final byte[] host;
  private final String forwarded;
  private final String via;
  private final byte[] lines;

  /**
   * @param address of the client, without port
   * @param scheme {@code http} or {@code https}, by which it came
   * @param authority the host that it asks for, as it says it
   * @param via what the router says of itself, with the version in which it was asked
   */
  private ForwardedHeaders(String address, String scheme, String authority, String via) {
    this.address = address;
    this.via = via;
    this.scheme = scheme;
    this.authority = authority;
    this.host = authority.getBytes(StandardCharsets.ISO_8859_1);
    String node = address.indexOf(':') < 0 ? address : "\"[" + address + "]\"";
    this.forwarded = "for=" + node + ";proto=" + scheme + ";host=" + quoted(authority);
    this.lines = lines(address, forwarded, via);
  }

  /** Those of a client that speaks HTTP/1.1. */
  static ForwardedHeaders ofHttp1(ClientAddress address, String scheme, String authority) {
    return new ForwardedHeaders(address.text(), scheme, authority, VIA_1_1);
  }

  /** Those of a client that speaks HTTP/2. */
  static ForwardedHeaders ofHttp2(ClientAddress address, String scheme, String authority) {
    return new ForwardedHeaders(address.text(), scheme, authority, VIA_2);
  }

  private static String quoted(String authority) {
    return authority.indexOf(':') < 0 && authority.indexOf('[') < 0
        ? authority
        : '"' + authority + '"';
  }

  String authority() {
    return authority;
  }

  /** Whether it is for the host that a request names. */
  boolean isFor(RequestHead head) {
    return Arrays.equals(head.bytes, head.host(), head.hostEnd(), host, 0, host.length);
  }

  /** The fields to add to a request, each with its line's end. */
  byte[] lines(RequestHead head) {
    return head.introduced()
        ? lines(
            after(head.texts(FieldName.X_FORWARDED_FOR), address),
            after(head.texts(FieldName.FORWARDED), forwarded),
            after(head.texts(FieldName.VIA), via))
        : lines;
  }

  /** What others were said to be on the way comes first. */
  private static String after(List<String> before, String own) {
    return before.isEmpty() ? own : String.join(", ", before) + ", " + own;
  }

  private byte[] lines(String forwardedFor, String forwardedBy, String via) {
    String all =
        "x-forwarded-for: "
            + forwardedFor
            + "\r\nx-forwarded-proto: "
            + scheme
            + "\r\nx-forwarded-host: "
            + authority
            + "\r\nforwarded: "
            + forwardedBy
            + "\r\nvia: "
            + via
            + "\r\n";
    return all.getBytes(StandardCharsets.ISO_8859_1);
  }
}
