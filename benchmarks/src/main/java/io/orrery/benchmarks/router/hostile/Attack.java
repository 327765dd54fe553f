package io.orrery.benchmarks.router.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The clients of one kind at work: a connection that the router closes is made anew. */
final class Attack implements AutoCloseable {
  /** Between two connections of a client: a flood of connections is bounded as well. */
  private static final int PAUSE_MILLIS = 10;

  private final int port;
  private final HostileKind kind;
  private final Set<HostilePeer> peers = ConcurrentHashMap.newKeySet();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  private Attack(int port, HostileKind kind) {
    this.port = port;
    this.kind = kind;
  }

  static Attack begin(int port, HostileKind kind) {
    Attack attack = new Attack(port, kind);
    for (int i = 0; i < kind.connections(); i++) {
      attack.threads.add(Thread.ofVirtual().start(attack::client));
    }
    return attack;
  }

  private void client() {
    try {
      while (!over) {
        one();
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void one() throws InterruptedException {
    try (HostilePeer peer = new HostilePeer(port, () -> over)) {
      peers.add(peer);
      try {
        kind.script().play(peer);
      } finally {
        peers.remove(peer);
      }
    } catch (IOException e) {
      // The router has had enough of it, or does not answer; which of both is seen elsewhere.
    }
  }

  @Override
  public void close() throws IOException {
    over = true;
    for (HostilePeer peer : peers) {
      peer.close();
    }
    threads.forEach(Thread::interrupt);
  }
}
