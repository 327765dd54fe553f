package io.orrery.compute.remote;

import io.orrery.core.digest.Sha256;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The way to log in at a machine. Experiments with equal logins share its connection.
 *
 * @param password as the configuration stores it, sealed or by reference; null for keys
 * @param keyFile a private key; null for the usual ones and those of the agent
 * @param passphrase what opens the key, stored as the password is; null when it is open
 * @param pythonPath a directory that comes first on PATH there
 * @param knownHosts a file of host keys; null for the user's own
 * @param trustOnFirstUse whether an unknown machine is trusted, and then remembered
 */
record Login(
    String host,
    int port,
    String user,
    @Nullable String password,
    @Nullable Path keyFile,
    @Nullable String passphrase,
    @Nullable String pythonPath,
    @Nullable Path knownHosts,
    boolean trustOnFirstUse) {
  private static final int STANDARD_PORT = 22;
  private static final int KEY_BYTES = 8;

  /** As people name it: {@code user@host}, with the port where it is not 22. */
  String name() {
    return user + "@" + address();
  }

  /** Without the user. */
  String address() {
    return port == STANDARD_PORT ? host : host + ":" + port;
  }

  /**
   * Names it among all logins, the same in each run of the server: two that lead to one account are
   * two connections, and must not send each other away.
   */
  String key() {
    String all =
        String.join(
            "\n",
            name(),
            String.valueOf(password),
            String.valueOf(keyFile),
            String.valueOf(passphrase),
            String.valueOf(pythonPath),
            String.valueOf(knownHosts),
            String.valueOf(trustOnFirstUse));
    return Sha256.hex(all, KEY_BYTES);
  }

  /** Without anything secret. */
  @Override
  public String toString() {
    return name();
  }
}
