package io.orrery.gateway.launch;

import io.orrery.core.tls.TlsMaterial;
import io.orrery.gateway.cluster.ClusterConfig;
import io.orrery.gateway.cluster.ClusteredVertx;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.spi.VertxTracerFactory;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Makes the Vert.x of a server: one of its own, or one that shares its bus with others. */
final class ServerVertx {
  /**
   * Nothing is served from files by Vert.x, whose folder for them a killed server leaves behind.
   */
  private static final FileSystemOptions NO_CACHE =
      new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);

  private ServerVertx() {}

  static Vertx start(
      @Nullable ClusterConfig cluster,
      @Nullable TlsMaterial tls,
      @Nullable VertxTracerFactory tracing)
      throws IOException {
    VertxOptions options =
        new VertxOptions()
            .setPreferNativeTransport(true)
            .setEventLoopPoolSize(Runtime.getRuntime().availableProcessors())
            .setFileSystemOptions(NO_CACHE);
    VertxBuilder builder = Vertx.builder().with(options);
    if (tracing != null) {
      builder.withTracer(tracing);
    }
    return cluster == null
        ? builder.build()
        : ClusteredVertx.start(
            builder, options, cluster, tls, Secret.of(cluster.directory()).name("cluster"));
  }
}
