package io.orrery.orchestrator.alert;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A server that takes mail, as the configuration names it.
 *
 * @param user null for a server that asks for no login
 * @param password of the user: {@code env:NAME}, {@code file:/path}, what a {@code SecretBox} has
 *     sealed, or itself; null without a user
 * @param from the address that mails come from
 * @param domains the domains that mail may be sent to; empty for any
 * @param certificates a PEM file with those that are trusted; null for those that Java trusts
 */
public record MailSettings(
    String host,
    int port,
    Security security,
    @Nullable String user,
    @Nullable String password,
    String from,
    List<String> domains,
    @Nullable Path certificates) {
  public MailSettings {
    domains = List.copyOf(domains);
  }

  /** The protection of a connection. */
  public enum Security {
    /** It begins in the clear and is sealed before anything is said; without that it ends. */
    STARTTLS,
    TLS,
    /** In the clear; there is no login then. */
    NONE;

    /** The word of the configuration. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether mail may be sent to an address. */
  boolean allows(String address) {
    String domain = address.substring(address.indexOf('@') + 1).toLowerCase(Locale.ROOT);
    return domains.isEmpty()
        || domains.stream().anyMatch(each -> each.toLowerCase(Locale.ROOT).equals(domain));
  }

  /** Nothing of the password. */
  @Override
  public String toString() {
    return "MailSettings[" + host + ":" + port + "]";
  }
}
