package io.orrery.router.wire;

import io.orrery.router.policy.AmbiguousHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The header fields that a proxy must know; all others are {@link #OTHER} and pass. */
enum FieldName {
  OTHER(""),

  /** Any of {@link AmbiguousHeaders}. */
  TWIN(""),
  TE("te"),
  VIA("via"),
  DATE("date"),
  HOST("host"),
  EXPECT("expect"),
  TRAILER("trailer"),
  UPGRADE("upgrade"),
  FORWARDED("forwarded"),
  CONNECTION("connection"),
  KEEP_ALIVE("keep-alive"),
  MAX_FORWARDS("max-forwards"),
  HTTP2_SETTINGS("http2-settings"),
  CONTENT_LENGTH("content-length"),
  X_FORWARDED_FOR("x-forwarded-for"),
  X_FORWARDED_HOST("x-forwarded-host"),
  PROXY_CONNECTION("proxy-connection"),
  TRANSFER_ENCODING("transfer-encoding"),
  X_FORWARDED_PROTO("x-forwarded-proto"),
  X_ORRERY_SHADOW_OF("x-orrery-shadow-of"),
  PROXY_AUTHENTICATE("proxy-authenticate"),
  PROXY_AUTHORIZATION("proxy-authorization");

  private static final FieldName[][] BY_LENGTH = byLength();
  private static final byte[][][] TWINS_BY_LENGTH = twinsByLength();

  @SuppressWarnings("ImmutableEnumChecker") // it is not written to
  private final byte[] lower;

  FieldName(String name) {
    this.lower = name.getBytes(StandardCharsets.US_ASCII);
  }

  private static FieldName[][] byLength() {
    FieldName[][] all = new FieldName[PROXY_AUTHORIZATION.lower.length + 1][];
    for (int length = 0; length < all.length; length++) {
      int wanted = length;
      all[length] =
          Arrays.stream(values())
              .filter(name -> wanted > 0 && name.lower.length == wanted)
              .toArray(FieldName[]::new);
    }
    return all;
  }

  private static byte[][][] twinsByLength() {
    byte[][][] all = new byte[BY_LENGTH.length][][];
    for (int length = 0; length < all.length; length++) {
      int wanted = length;
      all[length] =
          AmbiguousHeaders.OF.stream()
              .filter(name -> name.length() == wanted)
              .map(name -> name.getBytes(StandardCharsets.US_ASCII))
              .toArray(byte[][]::new);
    }
    return all;
  }

  /** The name that stands in {@code bytes[from, to)}, in any case. */
  static FieldName of(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length < BY_LENGTH.length) {
      for (FieldName name : BY_LENGTH[length]) {
        if (Ascii.equalsIgnoreCase(bytes, from, to, name.lower)) {
          return name;
        }
      }
      for (byte[] own : TWINS_BY_LENGTH[length]) {
        if (Ascii.equalsButForUnderscores(bytes, from, to, own)) {
          return TWIN;
        }
      }
    }
    return OTHER;
  }
}
