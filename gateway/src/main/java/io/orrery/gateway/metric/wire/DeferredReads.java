package io.orrery.gateway.metric.wire;

import io.netty.channel.Channel;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.UnixChannel;
import io.orrery.core.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads connections that have time all together, ten times a second, instead of each as soon as
 * something has come. A thread that is woken for a hundred bytes takes longer to wake, and to find
 * its caches again, than to read them; thousands of trials that report once a second would do
 * nothing else with it.
 *
 * <p>The kernel is asked which of them have something to be read, by an epoll of their own beside
 * the one that the event loop waits for. Where there is none, as on other systems than Linux, no
 * connection joins. Belongs to one event loop.
 */
public final class DeferredReads {
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Looks and never waits. */
  private static final IoHandlerContext AT_ONCE =
      new IoHandlerContext() {
        @Override
        public boolean canBlock() {
          return false;
        }

        @Override
        public long delayNanos(long now) {
          return 0;
        }

        @Override
        public long deadlineNanos() {
          return 0;
        }
      };

  private final Clock clock;
  private final Consumer<Runnable> together;
  private @Nullable IoHandler epoll;
  private int size;
  private Clock.@Nullable Timer next;

  /**
   * @param together runs a sweep, so that what is read in it goes on as one
   */
  public DeferredReads(Clock clock, Consumer<Runnable> together) {
    this.clock = clock;
    this.together = together;
  }

  /** A connection that has joined. */
  final class Registration implements EpollIoHandle {
    private final FileDescriptor socket;
    private final Runnable ready;
    private @Nullable IoRegistration registration;

    private Registration(FileDescriptor socket, Runnable ready) {
      this.socket = socket;
      this.ready = ready;
    }

    @Override
    public FileDescriptor fd() {
      return socket;
    }

    @Override
    public void handle(IoRegistration here, IoEvent event) {
      ready.run();
    }

    /** Leaves; nothing the second time. */
    @Override
    public void close() {
      IoRegistration held = registration;
      registration = null;
      if (held != null) {
        held.cancel();
        size--;
      }
    }
  }

  /**
   * Lets a connection join.
   *
   * @param ready reads it, in each sweep in which something has come or it is at its end
   * @return null when it cannot
   */
  @Nullable Registration join(Channel channel, Runnable ready) {
    if (!(channel instanceof UnixChannel socket)
        || !(channel.eventLoop() instanceof IoEventLoop loop)
        || !loop.isIoType(EpollIoHandler.class)) {
      return null;
    }
    Registration seat = new Registration(socket.fd(), ready);
    try {
      IoRegistration registration = epoll(loop).register(seat);
      seat.registration = registration;
      size++;
      registration.submit(EpollIoOps.EPOLLIN);
      return seat;
    } catch (Exception e) {
      // There may be no file descriptors left; it is read as usual.
      seat.close();
      return null;
    }
  }

  private IoHandler epoll(IoEventLoop loop) {
    IoHandler own = epoll;
    if (own == null) {
      own = EpollIoHandler.newFactory().newHandler(loop);
      own.initialize();
      epoll = own;
      next = clock.after(PAUSE, this::sweep);
    }
    return own;
  }

  /**
   * The next one is certain before this one begins: connections that have joined are read by
   * nothing else.
   */
  private void sweep() {
    IoHandler own = epoll;
    if (own == null || size == 0) {
      close();
      return;
    }
    next = clock.after(PAUSE, this::sweep);
    together.accept(() -> own.run(AT_ONCE));
  }

  /** Stops reading all connections. */
  public void close() {
    IoHandler own = epoll;
    epoll = null;
    if (own != null) {
      own.prepareToDestroy();
      own.destroy();
    }
    if (next != null) {
      next.cancel();
      next = null;
    }
  }
}
