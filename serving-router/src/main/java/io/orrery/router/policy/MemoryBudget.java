package io.orrery.router.policy;

import io.orrery.router.route.ClientLimits;
import io.orrery.router.telemetry.Meters;
import io.orrery.router.telemetry.Meters.Cut;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A budget for the bytes that the clients of one event loop make it hold, with limits for a stream
 * (one request and its answer), a connection, a client address and all of them together.
 *
 * <p>It works in four steps. A stream that holds as much as it may, or whose connection, client or
 * loop does, is not to read any more from who sends ({@link Stream#mayRead}); it hears when it may
 * again. When all memory is held, new requests are refused ({@link #full}). A client that does not
 * take what waits for it within {@link ClientLimits#slow} is cut, within five seconds when three
 * quarters of the memory are held. And when more than all is held, or by one client much more than
 * its part, those that have taken nothing for the longest time are cut at once.
 *
 * <p>Belongs to one event loop; only its thread calls it.
 */
public final class MemoryBudget {
  private static final long HURRIED = Duration.ofSeconds(5).toNanos();

  /** No client is cut for what happened within one round of the network. */
  private static final long MOMENT = Duration.ofSeconds(1).toNanos();

  private static final int LEAST_READ = 1_024;
  private static final int MOST_READ = 16 * 1024;

  private final long most;
  private final long mostOfClient;
  private final long mostOfConnection;
  private final int connections;
  private final int connectionsOfClient;
  private final long slow;
  private final Meters meters;
  private final int number;
  private final Map<String, Client> clients = new HashMap<>();
  private final ArrayDeque<Stream> paused = new ArrayDeque<>();
  private long held;
  private long told;
  private int open;
  private long now;

  /** Those for whose clients bytes wait, by when they last took enough of them. */
  private @Nullable Stream oldest;

  private @Nullable Stream newest;

  /**
   * @param limits of all loops together
   * @param loops how many share them
   * @param number which of them this is, from 0
   * @param now nanoseconds
   */
  MemoryBudget(ClientLimits limits, int loops, int number, Meters meters, long now) {
    this.most = limits.memory() / loops;
    this.mostOfClient = Math.min(most, limits.memoryPerClient());
    this.mostOfConnection = Math.min(mostOfClient, limits.memoryPerConnection());
    this.connections = Math.max(1, limits.connections() / loops);
    this.connectionsOfClient = Math.min(connections, limits.connectionsPerClient());
    this.slow = limits.slow().toNanos();
    this.meters = meters;
    this.number = number;
    this.now = now;
  }

  /**
   * Counts a new connection.
   *
   * @param network by which clients are told apart
   * @return null when there are as many as there may be; then it is to be closed
   */
  public @Nullable Connection open(String network) {
    Client client = clients.get(network);
    if (open >= connections || (client != null && client.connections >= connectionsOfClient)) {
      meters.connectionRefused();
      return null;
    }
    if (client == null) {
      client = new Client(network);
      clients.put(network, client);
    }
    client.connections++;
    open++;
    return new Connection(client);
  }

  /** Returns a connection that was not counted when it was opened. */
  public Connection uncounted() {
    return new Connection(new Client(""));
  }

  /** Whether so much is held that no new request is to be taken up. */
  public boolean full() {
    return held >= most;
  }

  /** The largest read that fits: as long as three quarters of the memory are free, any. */
  public int read() {
    long free = most - held;
    if (free > most / 4 * 3) {
      return Integer.MAX_VALUE;
    }
    return Math.clamp(free / 1_024, LEAST_READ, MOST_READ);
  }

  /** Bytes that copies of requests may hold. */
  long ofCopies() {
    return most / 4;
  }

  /** Bytes that are held. */
  public long held() {
    return held;
  }

  /** Cuts those that are too slow, and lets others go on for which there is memory again. */
  void tick(long time) {
    now = time;
    cutOlderThan(held > most / 4 * 3 ? Math.min(slow, HURRIED) : slow, Cut.SLOW);
    if (held > mostOfClient) {
      cutThoseThatHoldTooMuch();
    }
    for (int left = paused.size(); left > 0; left--) {
      Stream stream = paused.remove();
      stream.paused = false;
      if (stream.hasRoom()) {
        stream.owner.resume();
      }
    }
    if (held != told) {
      told = held;
      meters.held(number, held);
    }
  }

  /** Where all together hold more than they may, or a client a quarter more than its part. */
  private void cutThoseThatHoldTooMuch() {
    Stream stream = oldest;
    while (stream != null && now - stream.movedAt > MOMENT) {
      Stream following = stream.after;
      if (held > most || stream.connection.client.held > mostOfClient / 4 * 5) {
        stream.cut(Cut.MEMORY);
      }
      stream = following;
    }
  }

  private void cutOlderThan(long age, Cut why) {
    Stream stream = oldest;
    while (stream != null && now - stream.movedAt > age) {
      stream.cut(why);
      stream = oldest;
    }
  }

  /** A client address with all of its connections. */
  private static final class Client {
    private final String network;
    private int connections;
    private long held;

    Client(String network) {
      this.network = network;
    }
  }

  /** A connection of a client. */
  public final class Connection {
    private final Client client;
    private long held;
    private boolean closed;

    private Connection(Client client) {
      this.client = client;
    }

    /**
     * Begins to count for one request and its answer.
     *
     * @param owner pauses, goes on and ends as it is told
     */
    public Stream stream(Owner owner) {
      return new Stream(this, owner);
    }

    /** It is closed, and with it all that is held for it is given back. */
    public void close() {
      if (!closed) {
        add(-held);
        closed = true;
        open--;
        if (--client.connections == 0) {
          clients.remove(client.network, client);
        }
      }
    }

    /** Whether its client holds so much that no new request of it is to be taken up. */
    boolean full() {
      return client.held >= mostOfClient;
    }

    private void add(long bytes) {
      if (closed) {
        return;
      }
      held += bytes;
      client.held += bytes;
      MemoryBudget.this.held += bytes;
    }

    private boolean crowded() {
      return held >= mostOfConnection
          || client.held >= mostOfClient
          || MemoryBudget.this.held >= most;
    }
  }

  /** The sender and the receiver behind a stream. */
  public interface Owner {
    /** There is memory again: who sends may be read from. */
    void resume();

    /** The client is to be cut off, without waiting for it. */
    void cut();
  }

  /** The memory that one request and its answer hold. */
  public final class Stream {
    private final Connection connection;
    private final Owner owner;

    /** Bytes that wait for the client. */
    private long waiting;

    /** All other bytes. */
    private long kept;

    /** Bytes that the client has to take before it counts as having moved. */
    private long goal;

    private long movedAt;
    private boolean listed;
    private boolean paused;
    private boolean cut;
    private @Nullable Stream before;
    private @Nullable Stream after;

    private Stream(Connection connection, Owner owner) {
      this.connection = connection;
      this.owner = owner;
    }

    /** So many bytes more wait for the client. */
    public void hold(long bytes) {
      if (bytes == 0) {
        return;
      }
      if (waiting == 0) {
        goal = Math.min(bytes, ClientLimits.STREAM);
        append();
      }
      waiting += bytes;
      connection.add(bytes);
    }

    /** The client, or its system, has taken so many of them. */
    public void taken(long bytes) {
      if (bytes == 0) {
        return;
      }
      waiting -= bytes;
      goal -= bytes;
      connection.add(-bytes);
      if (waiting == 0) {
        remove();
      } else if (goal <= 0) {
        goal = Math.min(waiting, ClientLimits.STREAM);
        remove();
        append();
      }
    }

    /** So many bytes more are kept, or with a negative number less, which wait for no client. */
    public void keep(long bytes) {
      kept += bytes;
      connection.add(bytes);
    }

    /** Bytes that wait for the client. */
    public long waiting() {
      return waiting;
    }

    /** Bytes that are kept for others. */
    public long kept() {
      return kept;
    }

    /**
     * Whether who sends may be read from; if not, {@link Owner#resume} is called when there is
     * memory for it again, unless it is the stream itself that holds as much as it may.
     */
    public boolean mayRead() {
      return waiting < ClientLimits.STREAM && hasRoom();
    }

    /**
     * Whether connection, client and loop may hold more; if not, {@link Owner#resume} is called
     * when they may.
     */
    public boolean hasRoom() {
      if (connection.crowded()) {
        if (!paused) {
          paused = true;
          MemoryBudget.this.paused.add(this);
        }
        return false;
      }
      return true;
    }

    private void cut(Cut why) {
      remove();
      if (!cut) {
        cut = true;
        meters.cut(why);
        owner.cut();
      }
    }

    private void append() {
      movedAt = now;
      listed = true;
      before = newest;
      if (newest == null) {
        oldest = this;
      } else {
        newest.after = this;
      }
      newest = this;
    }

    private void remove() {
      if (!listed) {
        return;
      }
      listed = false;
      if (before == null) {
        oldest = after;
      } else {
        before.after = after;
      }
      if (after == null) {
        newest = before;
      } else {
        after.before = before;
      }
      before = null;
      after = null;
    }
  }
}
