package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.gateway.http.EdgeOptions;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A test of the number of connections that clients of the API may hold (E1). */
class EdgeConnectionsIT {
  private static final String ASK = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final List<RawClient> clients = new ArrayList<>();
  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge = EdgeServer.start(EdgeOptions.loopback(0).withMaxConnections(3));
  }

  @AfterEach
  void close() throws Exception {
    for (RawClient client : clients) {
      client.close();
    }
    edge.close();
  }

  private RawClient client() throws Exception {
    RawClient client = edge.raw();
    clients.add(client);
    return client;
  }

  @Test
  void moreAreClosedAtOnceAndTheOthersAreServed() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(client().write(ASK).answer()).startsWith("HTTP/1.1 200");
    }
    assertThat(client().rest()).isEmpty();
    assertThat(clients.getFirst().write(ASK).answer()).startsWith("HTTP/1.1 200");

    clients.getFirst().close();
    // Once the server has heard that the first one left.
    await().until(() -> answer().startsWith("HTTP/1.1 200"));
  }

  /** To a request on a connection of its own; nothing when that was closed at once. */
  private String answer() throws Exception {
    try {
      return client().write(ASK).answer();
    } catch (SocketException closed) {
      return "";
    }
  }
}
