package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.WaitingTrials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests many clients that look at one experiment while it reports: {@code -Dorrery.viewers=500}.
 */
@EnabledIfSystemProperty(named = "orrery.viewers", matches = "\\d+")
class ManyViewersIT {
  private static final int VIEWERS = Integer.getInteger("orrery.viewers", 0);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Batches that are posted one after the other, and lines in each. */
  private static final int BATCHES = 100;

  private static final int LINES = 20;

  @TempDir Path temp;

  @Test
  @Timeout(180)
  void everyViewerHearsOfTheLastPointInTenUpdatesASecondAtMost() throws Exception {
    try (ServerProcess server = ServerProcess.start(temp.resolve("home"))) {
      String trial = WaitingTrials.start(server, temp.resolve("code"), 1).getFirst();
      try (Crowd crowd = new Crowd(server, trial.split("/")[0])) {
        crowd.awaitAll("event: experiment");
        long start = System.nanoTime();
        for (int batch = 0; batch < BATCHES; batch++) {
          post(server, trial, batch);
          crowd.listen(Duration.ofMillis(1));
        }
        crowd.awaitAll("\"sequence\":" + (BATCHES * LINES - 1) + ",");
        double seconds = (System.nanoTime() - start) / 1e9;

        assertThat(crowd.mostUpdates()).isBetween(1, (int) (10 * seconds) + 2);
        assertThat(WaitingTrials.points(server, trial)).isEqualTo(BATCHES * LINES);
      }
    }
  }

  private static void post(ServerProcess server, String trial, int batch) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      lines.append(WaitingTrials.line(trial, "viewed", batch * LINES + i)).append('\n');
    }
    assertThat(server.send("POST", "/metrics", BodyPublishers.ofString(lines.toString())))
        .extracting(answer -> answer.statusCode())
        .isEqualTo(200);
  }

  /** A crowd of plain connections on one thread, each an event stream. */
  private static final class Crowd implements AutoCloseable {
    private final Selector selector = Selector.open();
    private final List<Viewer> viewers = new ArrayList<>();

    Crowd(ServerProcess server, String experiment) throws IOException {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.url().getPort());
      for (int i = 0; i < VIEWERS; i++) {
        SocketChannel channel = SocketChannel.open(address);
        String request =
            "GET /api/v1/experiments/"
                + experiment
                + "/events HTTP/1.1\r\nHost: 127.0.0.1:"
                + address.getPort()
                + "\r\n\r\n";
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        channel.configureBlocking(false);
        Viewer viewer = new Viewer(channel);
        channel.register(selector, SelectionKey.OP_READ, viewer);
        viewers.add(viewer);
      }
    }

    void listen(Duration time) throws IOException {
      selector.select(time.toMillis());
      for (SelectionKey key : selector.selectedKeys()) {
        ((Viewer) key.attachment()).read();
      }
      selector.selectedKeys().clear();
    }

    void awaitAll(String text) throws IOException {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!viewers.stream().allMatch(viewer -> viewer.heard(text))) {
        assertThat(System.nanoTime())
            .as("%s of %s heard it", viewers.stream().filter(v -> v.heard(text)).count(), VIEWERS)
            .isLessThan(deadline);
        listen(Duration.ofMillis(100));
      }
    }

    int mostUpdates() {
      return viewers.stream().mapToInt(Viewer::updates).max().orElseThrow();
    }

    @Override
    public void close() throws IOException {
      for (Viewer viewer : viewers) {
        viewer.channel.close();
      }
      selector.close();
    }
  }

  private static final class Viewer {
    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocate(64 << 10);
    private final StringBuilder said = new StringBuilder();

    Viewer(SocketChannel channel) {
      this.channel = channel;
    }

    void read() throws IOException {
      if (channel.read(in) < 0) {
        throw new IOException("the stream has ended: " + said);
      }
      in.flip();
      said.append(StandardCharsets.ISO_8859_1.decode(in));
      in.clear();
    }

    boolean heard(String text) {
      return said.indexOf(text) >= 0;
    }

    int updates() {
      int count = 0;
      for (int at = said.indexOf("event: metrics");
          at >= 0;
          at = said.indexOf("event: metrics", at + 1)) {
        count++;
      }
      return count;
    }
  }
}
