package io.orrery.core.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpVersion;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.regex.Pattern;

/**
 * A decoder of requests that reads a minor version above 1 as HTTP/1.1 (RFC 9110 section 2.5), with
 * a transfer coding too (RFC 9112 section 6.1). The decoder that it replaces refuses the coding in
 * any version that it does not know.
 */
final class LaterMinorVersions extends VertxHttpRequestDecoder {
  private static final Pattern LATER = Pattern.compile("HTTP/1\\.([2-9]|[1-9][0-9]+)");
  private static final int VERSION = 2;

  private LaterMinorVersions(HttpServerOptions options) {
    super(options);
  }

  /**
   * Replaces the decoder of a pipeline that has not decoded a head yet.
   *
   * @param options of the server
   */
  static void into(ChannelPipeline pipeline, HttpServerOptions options) {
    ChannelHandlerContext decoder = pipeline.context(VertxHttpRequestDecoder.class);
    if (decoder != null) {
      pipeline.replace(decoder.name(), decoder.name(), new LaterMinorVersions(options));
    }
  }

  @Override
  protected HttpMessage createMessage(String[] line) {
    String version = HttpVersion.HTTP_1_1.text();
    if (!line[VERSION].equals(version) && LATER.matcher(line[VERSION]).matches()) {
      line[VERSION] = version;
    }
    return super.createMessage(line);
  }
}
