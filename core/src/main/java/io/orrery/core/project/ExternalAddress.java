package io.orrery.core.project;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An external address of services: the setting {@code SERVICE_EXTERNAL_IP}. Its text is {@code ip},
 * or {@code inner|outer} when links show another address than the one that is bound; several have
 * commas between them.
 *
 * @param inner the IP address that is bound in the cluster: IPv4, or IPv6 as RFC 5952 writes it.
 *     Never an unspecified, multicast or link-local address. A loopback address is allowed, for
 *     services that run as processes; Kubernetes refuses it
 * @param outer the IP address or host name that links show; the inner address when there is no
 *     other
 */
public record ExternalAddress(String inner, String outer) {
  /** The largest number of characters of a text. */
  public static final int MOST_CHARACTERS = 4_000;

  /** The largest number of addresses in a text. */
  public static final int MOST_ADDRESSES = 32;

  /**
   * @throws IllegalArgumentException when an address is not in the form that {@link #read} gives
   */
  public ExternalAddress {
    if (!AddressReader.isCanonical(inner, outer)) {
      throw new IllegalArgumentException("not an external address: " + inner + "|" + outer);
    }
  }

  /**
   * Reads addresses with commas between them; a blank text has none.
   *
   * @return those that are right, in the order of the text, and every finding: a syntax error, or
   *     one inner address with two outer ones. A repeated address is a notice
   */
  public static Parsed<List<ExternalAddress>> read(String text) {
    return new AddressReader().add(text);
  }

  /** The canonical text: {@code ip}, or {@code inner|outer} when they differ. */
  public String text() {
    return inner.equals(outer) ? inner : inner + "|" + outer;
  }

  /** The canonical text of several; reading it gives an equal list. */
  public static String text(List<ExternalAddress> addresses) {
    return addresses.stream().map(ExternalAddress::text).collect(Collectors.joining(","));
  }
}
