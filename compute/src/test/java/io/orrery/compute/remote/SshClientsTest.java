package io.orrery.compute.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.keyverifier.AcceptAllServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.io.nio2.Nio2Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SshClientsTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path directory;

  @Test
  void aConnectionHoldsNothingBackThatIsToBeSent() throws IOException {
    try (SshMachine machine = new SshMachine(directory.resolve("home"));
        SshClient client = SshClients.fresh(LIMIT)) {
      client.setServerKeyVerifier(AcceptAllServerKeyVerifier.INSTANCE);
      client.start();
      try (ClientSession session =
          client.connect(SshMachine.USER, "127.0.0.1", machine.port()).verify(LIMIT).getSession()) {
        Nio2Session connection = (Nio2Session) session.getIoSession();
        assertThat(connection.getSocket().getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
      }
    }
  }
}
