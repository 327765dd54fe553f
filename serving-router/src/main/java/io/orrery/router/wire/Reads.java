package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import io.orrery.router.policy.ReadBudget;

/**
 * An allocator of the buffers that connections are read into, which are smaller the less memory is
 * left, and the more has been read in the turn of the event loop: a thousand connections that are
 * read before the first of them could be paused must not hold a thousand large buffers.
 */
record Reads(RecvByteBufAllocator plain, ReadBudget budget) implements RecvByteBufAllocator {

  @Override
  @SuppressWarnings("deprecation") // the interface names it
  public Handle newHandle() {
    return new Bounded((ExtendedHandle) plain.newHandle(), budget);
  }

  private record Bounded(ExtendedHandle plain, ReadBudget budget) implements ExtendedHandle {
    @Override
    public ByteBuf allocate(ByteBufAllocator buffers) {
      return buffers.ioBuffer(guess());
    }

    @Override
    public int guess() {
      return Math.min(plain.guess(), budget.most());
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
      budget.add(bytes);
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
