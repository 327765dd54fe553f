package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import io.orrery.router.policy.ReadBudget;
import java.util.function.IntSupplier;

/**
 * An allocator of the buffers that connections are read into, which are smaller the less memory is
 * left, and the more has been read in the turn of the event loop: a thousand connections that are
 * read before the first of them could be paused must not hold a thousand large buffers.
 */
final class Reads implements RecvByteBufAllocator {
  /** Requests of a connection that are read and not answered, beyond which little more is read. */
  private static final int FEW_WAIT = 4;

  /** Some six short requests. */
  private static final int LITTLE = 256;

  private final RecvByteBufAllocator plain;
  private final ReadBudget budget;
  private IntSupplier waiting = () -> 0;

  /** The most that the next read may take for the requests that wait. */
  private int most = Integer.MAX_VALUE;

  Reads(RecvByteBufAllocator plain, ReadBudget budget) {
    this.plain = plain;
    this.budget = budget;
  }

  /**
   * Reads little while requests wait for the answer of an earlier one (pipelining), and then more
   * by and by: Vert.x makes objects of all that was read, which live until their turn comes.
   *
   * @param requests how many of the connection are read and not answered
   */
  void readLittleWhileMany(IntSupplier requests) {
    waiting = requests;
  }

  private int most() {
    if (waiting.getAsInt() > FEW_WAIT) {
      most = LITTLE;
    }
    return Math.min(most, budget.most());
  }

  /** After a read with few requests the next may be twice as large, as in a body. */
  private void add(int bytes) {
    budget.add(bytes);
    if (bytes >= most && most < Integer.MAX_VALUE / 2) {
      most *= 2;
    }
  }

  @Override
  @SuppressWarnings("deprecation") // the interface names it
  public Handle newHandle() {
    return new Bounded((ExtendedHandle) plain.newHandle(), this);
  }

  private record Bounded(ExtendedHandle plain, Reads reads) implements ExtendedHandle {
    @Override
    public ByteBuf allocate(ByteBufAllocator buffers) {
      return buffers.ioBuffer(guess());
    }

    @Override
    public int guess() {
      return Math.min(plain.guess(), reads.most());
    }

    @Override
    public void reset(ChannelConfig config) {
      plain.reset(config);
    }

    @Override
    public void incMessagesRead(int messages) {
      plain.incMessagesRead(messages);
    }

    @Override
    public void lastBytesRead(int bytes) {
      plain.lastBytesRead(bytes);
      reads.add(bytes);
    }

    @Override
    public int lastBytesRead() {
      return plain.lastBytesRead();
    }

    @Override
    public void attemptedBytesRead(int bytes) {
      plain.attemptedBytesRead(bytes);
    }

    @Override
    public int attemptedBytesRead() {
      return plain.attemptedBytesRead();
    }

    @Override
    public boolean continueReading() {
      return plain.continueReading();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
      return plain.continueReading(maybeMore);
    }

    @Override
    public void readComplete() {
      plain.readComplete();
    }
  }
}
