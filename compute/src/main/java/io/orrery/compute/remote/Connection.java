package io.orrery.compute.remote;

import io.orrery.core.time.Clock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A login that stands. Thread safe; blocks. */
final class Connection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  /** An OpenSSH server allows ten sessions on a connection; some are left for slow callers. */
  private static final int AT_ONCE = 6;

  private static final int MOST_OUTPUT = 4 << 20;
  private static final Duration OPENING = Duration.ofSeconds(20);

  /** The time between two probes of the connection, and how long each of them is waited for. */
  private static final Duration ASKING = Duration.ofSeconds(10);

  private static final int MOST_UNANSWERED = 2;
  private static final String ALIVE = "keepalive@openssh.com";

  private final ClientSession session;
  private final Clock clock;
  private final Semaphore turns = new Semaphore(AT_ONCE, true);
  private volatile Instant heardAt;

  /**
   * @param session logged in
   */
  Connection(ClientSession session, Clock clock) {
    this.session = session;
    this.clock = clock;
    this.heardAt = clock.now();
  }

  /** When the machine last answered. */
  Instant heardAt() {
    return heardAt;
  }

  /** The output of a script, and its exit code. */
  record Said(int exitCode, String out, String err) {
    /** The last line of its complaints, for people. */
    String complaint() {
      String last = lastLine(err);
      return last.isEmpty() ? "exit code " + exitCode : last;
    }
  }

  /**
   * Runs a script of {@code sh} on the machine. It is sent as input, so that no list of processes
   * shows it; its own programs must not read from there.
   *
   * @throws MachineAway when the connection broke, or the script took longer: it may have run
   */
  Said run(String script, Duration limit) throws MachineAway, InterruptedException {
    if (!turns.tryAcquire(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw MachineAway.passing("has too many commands under way");
    }
    try (ChannelExec channel = session.createExecChannel("exec sh -s")) {
      Bounded out = new Bounded();
      Bounded err = new Bounded();
      channel.setOut(out);
      channel.setErr(err);
      channel.open().verify(OPENING);
      send(script, channel);
      Set<ClientChannelEvent> seen =
          channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), limit.toMillis());
      Integer exitCode = channel.getExitStatus();
      if (exitCode != null) {
        heardAt = clock.now();
        return new Said(exitCode, out.text(), err.text());
      }
      throw MachineAway.passing(
          seen.contains(ClientChannelEvent.TIMEOUT)
              ? "did not answer within " + limit.toSeconds() + " s"
              : "was cut off in the middle of a command");
    } catch (IOException | RuntimeException e) {
      throw MachineAway.passing("broke off: " + e.getMessage());
    } finally {
      turns.release();
    }
  }

  /**
   * Starts a program that goes on until either side hangs up.
   *
   * @param command for the login shell, whichever that is
   * @throws IOException when the machine does not take it
   */
  Program start(String command) throws IOException {
    ChannelExec channel = session.createExecChannel(command);
    Bounded err = new Bounded();
    try {
      channel.setErr(err);
      channel.open().verify(OPENING);
      return new Program(channel, err);
    } catch (IOException | RuntimeException e) {
      channel.close(true);
      throw e instanceof IOException failed ? failed : new IOException(e);
    }
  }

  /** A program that runs on the machine. */
  record Program(ChannelExec channel, Bounded err) implements AutoCloseable {
    /** The stream of its output; reading blocks. */
    InputStream out() {
      return channel.getInvertedOut();
    }

    /** The stream of its input; writing blocks. */
    OutputStream in() {
      return channel.getInvertedIn();
    }

    /** The last line of its complaints; empty when there are none. */
    String complaint() {
      return lastLine(err.text());
    }

    @Override
    public void close() {
      channel.close(true);
    }
  }

  private static String lastLine(String text) {
    String stripped = text.strip();
    return stripped.substring(stripped.lastIndexOf('\n') + 1);
  }

  /** The machine has just answered. */
  void heard() {
    heardAt = clock.now();
  }

  /** Here, as the library would start a thread for it. */
  private static void send(String script, ChannelExec channel) {
    try (OutputStream in = channel.getInvertedIn()) {
      in.write(script.getBytes(StandardCharsets.UTF_8));
    } catch (IOException closed) {
      // A script that is over reads no more. How it ended is seen where that is waited for.
      LOG.trace("could not send all of a script, it has ended", closed);
    }
  }

  /**
   * Lets the machine's loopback port lead to one of ours, as long as the connection stands.
   *
   * @param wanted the port there; 0 for any
   * @return the port that it has become
   * @throws MachineAway when the machine does not allow it, or the port is taken
   */
  int listenThere(int wanted, int ours) throws MachineAway {
    try {
      return session
          .startRemotePortForwarding(
              new SshdSocketAddress("127.0.0.1", wanted), new SshdSocketAddress("127.0.0.1", ours))
          .getPort();
    } catch (IOException | RuntimeException e) {
      throw MachineAway.passing(
          wanted == 0
              ? "forwards no port (AllowTcpForwarding of its sshd_config): " + e.getMessage()
              : "does not give port " + wanted + " back: " + e.getMessage());
    }
  }

  boolean isOpen() {
    return session.isOpen() && session.isAuthenticated();
  }

  /** Waits for the connection to end, and ends it when the machine does not answer any more. */
  void awaitEnd() throws InterruptedException {
    int unanswered = 0;
    while (session.isOpen()) {
      session.waitFor(EnumSet.of(ClientSession.ClientSessionEvent.CLOSED), ASKING);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (session.isOpen()) {
        unanswered = answers() ? 0 : unanswered + 1;
      }
      if (unanswered >= MOST_UNANSWERED) {
        session.close(true);
      }
    }
  }

  /** Whether the server answers a probe: to refuse it is an answer as well. */
  private boolean answers() throws InterruptedException {
    try {
      Buffer question = session.createBuffer(SshConstants.SSH_MSG_GLOBAL_REQUEST);
      question.putString(ALIVE);
      question.putBoolean(true);
      session.request(ALIVE, question, ASKING);
      heardAt = clock.now();
      return true;
    } catch (InterruptedIOException e) {
      if (e instanceof SocketTimeoutException) {
        return false;
      }
      throw new InterruptedException();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    session.close(true);
  }

  /** Keeps the beginning of what comes and drops the rest. */
  static final class Bounded extends OutputStream {
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    @Override
    public synchronized void write(int one) {
      if (kept.size() < MOST_OUTPUT) {
        kept.write(one);
      }
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
      kept.write(bytes, from, Math.min(length, MOST_OUTPUT - kept.size()));
    }

    synchronized String text() {
      return kept.toString(StandardCharsets.UTF_8);
    }
  }
}
