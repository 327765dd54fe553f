package io.orrery.core.project;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads external addresses from one text, or from several of one list. */
final class AddressReader {
  private final Map<String, ExternalAddress> byInner = new LinkedHashMap<>();
  private TextFindings found = new TextFindings();

  /** The number of addresses read, wrong and repeated ones included. */
  private int count;

  /**
   * Reads a text with addresses.
   *
   * @return all addresses of this and the earlier texts, and the findings of this one
   */
  Parsed<List<ExternalAddress>> add(String text) {
    found = new TextFindings();
    if (found.allows(text, ExternalAddress.MOST_CHARACTERS)) {
      for (TextEntry entry : TextEntry.of(text).entries(",")) {
        if (count++ == ExternalAddress.MOST_ADDRESSES) {
          found.wrong(
              entry, "at most %d addresses are allowed".formatted(ExternalAddress.MOST_ADDRESSES));
          break;
        }
        add(entry);
      }
    }
    return found.with(List.copyOf(byInner.values()));
  }

  /** Says whether reading the two sides gives the same texts. */
  static boolean isCanonical(String inner, String outer) {
    AddressReader reader = new AddressReader();
    return inner.equals(reader.inner(TextEntry.of(inner)))
        && outer.equals(reader.outer(TextEntry.of(outer)));
  }

  private void add(TextEntry entry) {
    ExternalAddress address = address(entry);
    ExternalAddress before = address == null ? null : byInner.putIfAbsent(address.inner(), address);
    if (before != null && before.equals(address)) {
      found.notice(entry, Characters.quoted(entry.text()) + " is repeated and left out");
    } else if (before != null) {
      found.wrong(
          entry,
          "%s is here with another outer address than before, %s; keep one of them"
              .formatted(before.inner(), Characters.quoted(before.text())));
    }
  }

  private @Nullable ExternalAddress address(TextEntry entry) {
    String shown = Characters.quoted(entry.text());
    String fault = Characters.fault(entry.text());
    if (fault != null) {
      found.wrong(entry, shown + " " + fault);
      return null;
    }
    List<TextEntry> sides = entry.split("|");
    if (sides.size() > 2) {
      found.wrong(
          entry,
          shown + " has more than one '|'; write inner|outer, and ',' between two addresses");
      return null;
    }
    String inner = inner(sides.getFirst());
    String outer = sides.size() == 1 ? inner : outer(sides.getLast());
    return inner == null || outer == null ? null : new ExternalAddress(inner, outer);
  }

  /** An address in canonical form; null after a finding. */
  private @Nullable String inner(TextEntry side) {
    InetAddress address = IpLiteral.parse(side.text());
    if (address == null) {
      found.wrong(
          side,
          side.text().isEmpty()
              ? "the address before '|' is missing; it is an IP address, as in 10.0.0.7"
              : Characters.quoted(side.text())
                  + " is not an IP address such as 10.0.0.7 or 2001:db8::7, without port and"
                  + " brackets; a host name stands behind '|' only");
      return null;
    }
    String fault = fault(side, address);
    if (fault != null) {
      found.wrong(side, Characters.quoted(side.text()) + fault);
      return null;
    }
    return IpLiteral.text(address);
  }

  private static @Nullable String fault(TextEntry side, InetAddress address) {
    boolean isMapped = side.text().indexOf(':') >= 0 && address.getAddress().length == 4;
    if (isMapped) {
      return " is an IPv4 address in IPv6 form; write " + IpLiteral.text(address);
    }
    return address.isAnyLocalAddress()
            || address.isMulticastAddress()
            || address.isLinkLocalAddress()
        ? " cannot be the address of a service; take that of a node or a load balancer"
        : null;
  }

  /** An address or host name in canonical form; null after a finding. */
  private @Nullable String outer(TextEntry side) {
    if (IpLiteral.parse(side.text()) != null) {
      return inner(side);
    }
    String name = side.text().toLowerCase(Locale.ROOT);
    if (LabelSyntax.isHostName(name)) {
      return name;
    }
    found.wrong(
        side,
        name.isEmpty()
            ? "the address behind '|' is missing; name what links show, or leave out the '|'"
            : Characters.quoted(side.text())
                + " is neither an IP address nor a host name, without scheme, port and path");
    return null;
  }
}
