package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.route.RouterFile;
import io.orrery.router.run.Router;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Clients that come at the moment at which the router begins to listen, as after a restart. */
class FirstClientsIT extends RouterIT {
  private static final int STARTS = 20;
  private static final int CLIENTS = 12;
  private static final String BODY = "the body of a request that came first";

  @Test
  void theirBodiesArriveWhole() throws Exception {
    Upstream echo =
        opened(Upstream.start(vertx, request -> request.body().onSuccess(request.response()::end)));
    for (int start = 0; start < STARTS; start++) {
      int port = freePort();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
          answers.add(threads.submit(() -> post(port)));
        }
        try (Router fresh =
            Router.start(
                new RouterFile.Listen(
                    new RouterFile.Address("127.0.0.1", port), 2, List.of(), fastPath, false),
                table("  - {name: a, endpoints: [\"" + echo.address() + "\"]}\n"),
                null,
                null)) {
          assertThat(fresh.port()).isEqualTo(port);
          for (Future<String> answer : answers) {
            assertThat(answer.get(20, SECONDS)).startsWith("HTTP/1.1 200").endsWith(BODY);
          }
        }
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** The answer to a request on the first connection that is taken. */
  private static String post(int port) throws IOException {
    String request =
        """
        POST / HTTP/1.1\r
        Host: a.service.%s\r
        Content-Length: %d\r
        Connection: close\r
        \r
        %s\
        """
            .formatted(DOMAIN, BODY.length(), BODY);
    try (Socket socket = connected(port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static Socket connected(int port) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    while (true) {
      Socket socket = new Socket();
      try {
        socket.connect(address);
        return socket;
      } catch (IOException refused) {
        Thread.yield();
      }
    }
  }
}
