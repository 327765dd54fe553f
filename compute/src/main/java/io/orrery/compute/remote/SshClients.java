package io.orrery.compute.remote;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.cipher.Cipher;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.forward.AcceptAllForwardingFilter;

/** Clients of the SSH library as a server needs them; whom they trust is for their user to say. */
final class SshClients {
  private SshClients() {}

  /**
   * A client that is not started yet, and reads nothing of the user's configuration.
   *
   * @param limit how long logging in may take
   */
  static SshClient fresh(Duration limit) {
    SshClient client = SshClient.setUpDefaultClient();
    client.setCipherFactories(hardwareFirst(client.getCipherFactories()));
    client.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
    client.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
    client.setForwardingFilter(AcceptAllForwardingFilter.INSTANCE);
    CoreModuleProperties.NIO_WORKERS.set(client, 2);
    // As OpenSSH. Else TCP holds the end of a script back until the script is acknowledged, which
    // takes a machine 40 ms that has nothing to say.
    CoreModuleProperties.TCP_NODELAY.set(client, true);
    CoreModuleProperties.IDLE_TIMEOUT.set(client, Duration.ZERO);
    CoreModuleProperties.NIO2_READ_TIMEOUT.set(client, Duration.ZERO);
    CoreModuleProperties.AUTH_TIMEOUT.set(client, limit);
    return client;
  }

  /**
   * The same ciphers, AES-GCM first, which Java leaves to the processor: the library puts ChaCha20
   * first, and computes it in Java.
   */
  private static List<NamedFactory<Cipher>> hardwareFirst(List<NamedFactory<Cipher>> ciphers) {
    return ciphers.stream()
        .sorted(Comparator.comparing(cipher -> !cipher.getName().contains("-gcm@")))
        .toList();
  }
}
