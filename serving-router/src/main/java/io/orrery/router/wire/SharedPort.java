package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port at which two processes listen while one succeeds the other (SO_REUSEPORT). Linux deals new
 * connections out among their sockets by a hash, and resets those that still wait at a socket which
 * closes. So the socket that came last gets all of them: then the older one has nothing left when
 * it closes, the handshakes that it had begun included.
 *
 * <p>The group of sockets is told so by a packet filter of one instruction, {@code return 1}: the
 * second socket, in the order in which they began to listen. Where there is no second one, Linux
 * goes by the hash again (socket(7), SO_ATTACH_REUSEPORT_CBPF).
 */
final class SharedPort {
  private static final Logger LOG = LoggerFactory.getLogger(SharedPort.class);

  private static final int SOL_SOCKET = 1;
  private static final int SO_ATTACH_REUSEPORT_CBPF = 51;

  /** BPF_RET with the constant that is in the instruction. */
  private static final short RETURN = 6;

  private static final int SECOND = 1;

  /**
   * Bytes of {@code struct sock_filter}, and of {@code struct sock_fprog} where pointers have 8.
   */
  private static final int INSTRUCTION = 8;

  private static final int PROGRAM = 16;
  private static final int POINTER = 8;

  private static final RawUnixChannelOption FILTER =
      new RawUnixChannelOption("REUSEPORT_CBPF", SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, PROGRAM);

  private SharedPort() {}

  /** From now on new connections are those of the newest of two sockets; called when it listens. */
  static void preferNewest(Channel listening) {
    ByteBuf instruction = Unpooled.directBuffer(INSTRUCTION);
    try {
      ByteBuffer code = instruction.nioBuffer(0, INSTRUCTION).order(ByteOrder.nativeOrder());
      code.putShort(RETURN).putShort((short) 0).putInt(SECOND);
      ByteBuffer program = ByteBuffer.allocateDirect(PROGRAM).order(ByteOrder.nativeOrder());
      program.putShort(0, (short) 1).putLong(POINTER, instruction.memoryAddress());
      if (!listening.config().setOption(FILTER, program)) {
        LOG.warn(
            "could not take all new connections from a predecessor: this transport has no filter");
      }
    } catch (ChannelException e) {
      // A container may forbid it. Connections are shared by hash then, which is not wrong.
      LOG.warn("could not take all new connections from a predecessor: {}", e.getMessage());
    } finally {
      instruction.release();
    }
  }
}
