package io.orrery.compute.remote;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.sshd.agent.SshAgent;
import org.apache.sshd.agent.SshAgentFactory;
import org.apache.sshd.agent.SshAgentServer;
import org.apache.sshd.agent.common.AbstractAgentProxy;
import org.apache.sshd.common.FactoryManager;
import org.apache.sshd.common.channel.ChannelFactory;
import org.apache.sshd.common.session.ConnectionService;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

/**
 * A client of the SSH agent of the user who started the server, through its Unix socket. It is
 * asked to sign, and is never forwarded.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9987">RFC 9987, SSH Agent Protocol</a>
 */
final class AgentSocket extends AbstractAgentProxy {
  private static final int MOST = 256 * 1024;

  private final SocketChannel channel;

  private AgentSocket(Path socket) throws IOException {
    super(null);
    channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Makes the agents of sessions; those that may not ask it get one that knows no keys. */
  static SshAgentFactory factory(Path socket, Predicate<Session> mayAsk) {
    return new SshAgentFactory() {
      @Override
      public List<ChannelFactory> getChannelForwardingFactories(FactoryManager manager) {
        return List.of();
      }

      @Override
      public SshAgent createClient(Session session, FactoryManager manager) throws IOException {
        return mayAsk.test(session) ? new AgentSocket(socket) : new NoKeys();
      }

      @Override
      public SshAgentServer createServer(ConnectionService service) {
        throw new UnsupportedOperationException("the agent is never forwarded");
      }
    };
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  protected synchronized Buffer request(Buffer question) throws IOException {
    ByteBuffer out = ByteBuffer.wrap(question.array(), question.rpos(), question.available());
    while (out.hasRemaining()) {
      channel.write(out);
    }
    int length = read(Integer.BYTES).getInt();
    if (length < 1 || length > MOST) {
      throw new IOException("the SSH agent answers with " + length + " bytes");
    }
    return new ByteArrayBuffer(read(length).array());
  }

  private ByteBuffer read(int length) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(length);
    while (in.hasRemaining()) {
      if (channel.read(in) < 0) {
        throw new EOFException("the SSH agent hung up");
      }
    }
    return in.flip();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static final class NoKeys extends AbstractAgentProxy {
    NoKeys() {
      super(null);
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public Iterable<? extends Map.Entry<PublicKey, String>> getIdentities() {
      return List.of();
    }

    @Override
    protected Buffer request(Buffer question) throws IOException {
      throw new IOException("no agent is asked for this machine");
    }
  }
}
