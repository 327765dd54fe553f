package io.orrery.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.orrery.router.route.RouterFile.Tls;
import io.vertx.core.Vertx;
import io.vertx.core.net.SSLEngineOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class TlsEngineTest {
  private static final List<String> PROTOCOLS = List.of("h2", "http/1.1");

  private static SslContext context(SSLEngineOptions engine, KeyManagerFactory keys, boolean alpn)
      throws Exception {
    return engine
        .copy()
        .sslContextFactory()
        .keyMananagerFactory(keys)
        .useAlpn(alpn)
        .applicationProtocols(PROTOCOLS)
        .create();
  }

  /** Without it, all tests of TLS by its engine would be of another one, and pass. */
  @Test
  @EnabledOnOs(
      value = OS.LINUX,
      architectures = {"amd64", "aarch64"})
  void theLibraryLoadsWhereItIsDelivered() throws IOException {
    try (Stream<Path> loaders = Files.list(Path.of("/lib"))) {
      assumeTrue(
          loaders.noneMatch(file -> file.getFileName().toString().startsWith("ld-musl")),
          "its library needs glibc");
    }
    assertThat(OpenSsl.isAvailable()).as("%s", OpenSsl.unavailabilityCause()).isTrue();
  }

  @Test
  void namesOfOneWildcardShareAContext() throws Exception {
    assumeTrue(OpenSsl.isAvailable());
    Tls any = TestCertificates.any();
    Vertx vertx = Vertx.vertx();
    try {
      Function<String, KeyManagerFactory> byName =
          new Certificates(List.of(new Tls(List.of("*.example.com"), any.certificate(), any.key())))
              .keyManagerFactoryMapper(vertx);
      SSLEngineOptions engine = TlsEngine.options();

      SslContext first = context(engine, byName.apply("a.example.com"), true);

      assertThat(context(engine, byName.apply("b.example.com"), true)).isSameAs(first);
      assertThat(context(engine, byName.apply("b.example.com"), false)).isNotSameAs(first);
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }
}
