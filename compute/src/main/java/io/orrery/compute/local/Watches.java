package io.orrery.compute.local;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says when something changes in a directory (inotify). A hint only: where the system has no
 * watches left, or loses one, the service's slow tick finds the same.
 *
 * <p>Java's watch service hands each registration and each cancellation to a thread of its own, and
 * wakes it with a byte through a socket. It writes that byte under the lock that the thread needs
 * to take its orders; after some 280 bytes the socket is full, and both wait for ever. So at most
 * one order is under way at a time here.
 */
final class Watches implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watches.class);

  /** A change seldom comes alone: who is nudged at the first misses the rest, and looks again. */
  private static final Duration GATHERING = Duration.ofMillis(10);

  private final @Nullable WatchService service;
  private final ReentrantLock orders = new ReentrantLock();
  private final Map<WatchKey, Runnable> nudges = new ConcurrentHashMap<>();
  private boolean closed;

  Watches() {
    this.service = open();
    WatchService opened = service;
    if (opened != null) {
      Thread.ofVirtual().name("local-watch").start(() -> listen(opened));
    }
  }

  /** A directory to watch; not watched before it is first armed. */
  Watch on(Path directory, Runnable nudge) {
    return new Watch(directory, nudge);
  }

  /** A directory under watch. Not thread safe. */
  final class Watch implements AutoCloseable {
    private final Path directory;
    private final Runnable nudge;
    private @Nullable WatchKey key;
    private boolean tried;

    private Watch(Path directory, Runnable nudge) {
      this.directory = directory;
      this.nudge = nudge;
    }

    /**
     * To be called before looking: changes from here on nudge once, and then not until the next
     * call, so a busy directory costs one nudge a look.
     */
    void rearm() {
      if (!tried) {
        tried = true;
        key = register();
      }
      if (key != null) {
        key.pollEvents();
        key.reset();
      }
    }

    private @Nullable WatchKey register() {
      if (service == null) {
        return null;
      }
      orders.lock();
      try {
        WatchKey registered =
            directory.register(
                service,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_MODIFY);
        nudges.put(registered, nudge);
        return registered;
      } catch (IOException | ClosedWatchServiceException e) {
        LOG.debug("could not watch {}: {}", directory, e.toString());
        return null;
      } finally {
        orders.unlock();
      }
    }

    @Override
    public void close() {
      if (key != null) {
        nudges.remove(key);
        orders.lock();
        try {
          if (!closed) {
            key.cancel();
          }
        } finally {
          orders.unlock();
        }
      }
    }
  }

  private void listen(WatchService opened) {
    try {
      while (true) {
        WatchKey key = opened.take();
        Thread.sleep(GATHERING);
        for (; key != null; key = opened.poll()) {
          Runnable nudge = nudges.get(key);
          if (nudge != null) {
            nudge.run();
          }
        }
      }
    } catch (ClosedWatchServiceException closed) {
      LOG.trace("the watch service is closed");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static @Nullable WatchService open() {
    try {
      return FileSystems.getDefault().newWatchService();
    } catch (IOException e) {
      LOG.warn(
          "could not start file notifications, polling trials once a second: {}", e.toString());
      return null;
    }
  }

  /** Ends all watches at once. */
  @Override
  public void close() throws IOException {
    orders.lock();
    try {
      closed = true;
      if (service != null) {
        service.close();
      }
    } finally {
      orders.unlock();
    }
  }
}
