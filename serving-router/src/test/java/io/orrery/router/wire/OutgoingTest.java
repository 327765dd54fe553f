package io.orrery.router.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutgoingTest {
  private final Outgoing outgoing = new Outgoing();
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private ServerSocket server;

  @BeforeEach
  void listen() throws Exception {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws Exception {
    loops.shutdownGracefully().sync();
    server.close();
  }

  private Channel connect() throws Exception {
    return new Bootstrap()
        .group(loops)
        .channelFactory(() -> {
          NioSocketChannel channel = new NioSocketChannel();
          outgoing.add(channel);
          return channel;
        })
        .handler(new ChannelInboundHandlerAdapter())
        .connect(server.getLocalSocketAddress())
        .sync()
        .channel();
  }

  private static SocketAddress address(java.net.SocketAddress address) {
    return SocketAddress.inetSocketAddress((InetSocketAddress) address);
  }

  private @Nullable Channel between(java.net.SocketAddress local, java.net.SocketAddress remote) {
    return outgoing.between(address(local), address(remote));
  }

  @Test
  void eachConnectionIsFoundByItsAddresses() throws Exception {
    List<Channel> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(connect());
    }

    for (Channel each : all) {
      assertThat(between(each.localAddress(), each.remoteAddress())).isSameAs(each);
      assertThat(between(each.localAddress(), each.localAddress())).isNull();
    }
  }

  @Test
  void closedConnectionIsNotFoundAnyMore() throws Exception {
    Channel looked = connect();
    Channel other = connect();
    java.net.SocketAddress remote = looked.remoteAddress();
    java.net.SocketAddress local = looked.localAddress();
    java.net.SocketAddress otherLocal = other.localAddress();
    assertThat(between(local, remote)).isSameAs(looked);

    looked.close().sync();
    other.close().sync();
    loops.submit(() -> {}).sync();

    assertThat(between(local, remote)).isNull();
    assertThat(between(otherLocal, remote)).isNull();
  }
}
