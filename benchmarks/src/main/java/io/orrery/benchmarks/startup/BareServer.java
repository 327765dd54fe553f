package io.orrery.benchmarks.startup;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The peer: answers 200 to anything, and writes its address into a file. */
final class BareServer {
  private BareServer() {}

  public static void main(String[] arguments) throws IOException {
    var server =
        Vertx.vertx(new VertxOptions().setPreferNativeTransport(true))
            .createHttpServer()
            .requestHandler(request -> request.response().end("ready"))
            .listen(0, "127.0.0.1")
            .await();
    Files.writeString(
        Path.of(arguments[0]), "{\"url\":\"http://127.0.0.1:" + server.actualPort() + "\"}");
  }
}
