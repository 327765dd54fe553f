package io.orrery.compute.remote;

import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.sshd.client.config.hosts.KnownHostEntry;
import org.apache.sshd.client.config.hosts.KnownHostHashValue;
import org.apache.sshd.common.config.keys.AuthorizedKeyEntry;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The known keys of machines, as {@code known_hosts} has them: the user's file, and one of our own
 * for those that were trusted on first use. A machine whose key has changed is never trusted, and
 * an unknown one only when that was asked for.
 *
 * @see <a href="https://man.openbsd.org/sshd.8#SSH_KNOWN_HOSTS_FILE_FORMAT">sshd(8)</a>
 */
final class HostKeys {
  private static final Logger LOG = LoggerFactory.getLogger(HostKeys.class);
  private static final String REVOKED = "revoked";

  private final Path own;
  private final Path usual;

  /**
   * @param own where keys are written that are trusted on first use
   * @param user the home directory of the server's user
   */
  HostKeys(Path own, Path user) {
    this.own = own;
    this.usual = user.resolve(".ssh/known_hosts");
  }

  private record Known(@Nullable String marker, String type, PublicKey key, Path file) {}

  /** The types of key by which a machine is known, so that it is asked for one of these. */
  Set<String> types(Login login) {
    Set<String> types = new LinkedHashSet<>();
    known(login).stream().filter(known -> known.marker() == null).forEach(k -> types.add(k.type()));
    return types;
  }

  /**
   * Why a machine that shows this key is not to be talked to; null when it is.
   *
   * <p>Remembers a key that is trusted on first use.
   */
  @Nullable String objection(Login login, PublicKey shown) {
    List<Known> all = known(login);
    String print = KeyUtils.getKeyType(shown) + " " + KeyUtils.getFingerPrint(shown);
    for (Known known : all) {
      if (REVOKED.equals(known.marker()) && KeyUtils.compareKeys(known.key(), shown)) {
        return "shows a host key that " + known.file() + " says is revoked: " + print;
      }
    }
    List<Known> trusted = all.stream().filter(known -> known.marker() == null).toList();
    if (trusted.stream().anyMatch(known -> KeyUtils.compareKeys(known.key(), shown))) {
      return null;
    }
    if (!trusted.isEmpty()) {
      return "shows the host key "
          + print
          + ", and "
          + trusted.getFirst().file()
          + " has another one: either the machine was set up anew, and the old line is to be"
          + " removed (ssh-keygen -R), or this is not the machine";
    }
    if (login.trustOnFirstUse()) {
      remember(login, shown);
      return null;
    }
    return "is not known: its host key is "
        + print
        + "; when that is right, add it (ssh-keyscan -p "
        + login.port()
        + " "
        + login.host()
        + " >> "
        + users(login)
        + "), or set trustOnFirstUse";
  }

  private List<Known> known(Login login) {
    List<Known> found = new ArrayList<>();
    synchronized (this) {
      for (Path file : List.of(users(login), own)) {
        read(file, login, found);
      }
    }
    return found;
  }

  private static void read(Path file, Login login, List<Known> into) {
    List<KnownHostEntry> entries;
    try {
      if (!Files.isRegularFile(file)) {
        return;
      }
      entries = KnownHostEntry.readKnownHostEntries(file);
    } catch (IOException | RuntimeException e) {
      throw new Problem.Broken(file + " cannot be read as host keys: " + e.getMessage())
          .toException();
    }
    for (KnownHostEntry entry : entries) {
      AuthorizedKeyEntry key = entry.getKeyEntry();
      if (key == null || !entry.isHostMatch(login.host(), login.port())) {
        continue;
      }
      try {
        PublicKey resolved = key.resolvePublicKey(null, null, PublicKeyEntryResolver.IGNORING);
        if (resolved != null) {
          into.add(new Known(entry.getMarker(), key.getKeyType(), resolved, file));
        }
      } catch (IOException | GeneralSecurityException | RuntimeException strange) {
        LOG.debug("could not read a key of {}, ignoring it", file, strange);
      }
    }
  }

  private synchronized void remember(Login login, PublicKey shown) {
    try {
      Files.createDirectories(own.getParent());
      String line =
          KnownHostHashValue.createHostPattern(login.host(), login.port())
              + " "
              + PublicKeyEntry.toString(shown)
              + "\n";
      Files.writeString(own, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path users(Login login) {
    Path given = login.knownHosts();
    return given != null ? given : usual;
  }
}
