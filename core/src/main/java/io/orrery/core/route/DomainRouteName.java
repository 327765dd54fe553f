package io.orrery.core.route;

import io.orrery.core.digest.Sha256;

/** The name that a shared host has among the services of a route table. */
public final class DomainRouteName {
  private static final String PREFIX = "domain.";

  /** A name of the route table has at most 63 characters. */
  private static final int MOST_CHARACTERS = 63;

  private static final int DIGITS = 12;

  private DomainRouteName() {}

  /** The name for a host: the host itself behind a prefix, shortened by its digest. */
  public static String of(String host) {
    String name = PREFIX + host;
    if (name.length() <= MOST_CHARACTERS) {
      return name;
    }
    String digest = Sha256.hex(host).substring(0, DIGITS);
    return name.substring(0, MOST_CHARACTERS - DIGITS - 1) + "-" + digest;
  }
}
