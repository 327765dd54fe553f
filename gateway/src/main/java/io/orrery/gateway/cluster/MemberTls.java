package io.orrery.gateway.cluster;

import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.networking.ChannelInitializer;
import com.hazelcast.internal.server.ServerContext;
import com.hazelcast.internal.server.tcp.UnifiedChannelInitializer;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * A node of Hazelcast whose connections to other members speak TLS, where both sides show a
 * certificate. Hazelcast has this in its paid edition only; the free one lets an extension put
 * handlers into its pipelines.
 */
final class MemberTls extends DefaultNodeContext {
  private static final String[] PROTOCOLS = {"TLSv1.3"};

  private final SSLContext context;

  MemberTls(SSLContext context) {
    this.context = context;
  }

  @Override
  public NodeExtension createNodeExtension(Node node) {
    return new DefaultNodeExtension(node) {
      @Override
      public Function<EndpointQualifier, ChannelInitializer> createChannelInitializerFn(
          ServerContext server) {
        ChannelInitializer plain = new UnifiedChannelInitializer(server);
        return qualifier -> channel -> protect(channel, plain);
      }
    };
  }

  private void protect(Channel channel, ChannelInitializer plain) throws Exception {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(channel.isClientMode());
    if (!channel.isClientMode()) {
      engine.setNeedClientAuth(true);
    }
    engine.setEnabledProtocols(PROTOCOLS);
    engine.beginHandshake();
    channel.inboundPipeline().addLast(new MemberDecryption(engine));
    plain.initChannel(channel);
    channel.outboundPipeline().addLast(new MemberEncryption(engine));
  }
}
