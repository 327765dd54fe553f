package io.orrery.journeys.images;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/**
 * A forwarder of TCP connections that stands still at the first request with a given beginning,
 * until the connection ends: what is behind it has seen all that came before.
 */
final class HeldConnections implements AutoCloseable {
  private final ServerSocket listener;
  private final int target;
  private final CountDownLatch held = new CountDownLatch(1);
  private volatile String beginning;

  /**
   * @param beginning of the request that is not forwarded, such as {@code PUT /v2/}
   */
  HeldConnections(int target, String beginning) throws IOException {
    this.target = target;
    this.beginning = beginning;
    this.listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    Thread.ofVirtual().name("held-connections").start(this::accept);
  }

  String host() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  /** Released when a request is being held. */
  CountDownLatch held() {
    return held;
  }

  /** Lets later requests through. */
  void release() {
    beginning = "\0";
  }

  private void accept() {
    try {
      while (true) {
        Socket from = listener.accept();
        Socket to = new Socket("127.0.0.1", target);
        Thread.ofVirtual().start(() -> copy(from, to, true));
        Thread.ofVirtual().start(() -> copy(to, from, false));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void copy(Socket from, Socket to, boolean requests) {
    byte[] buffer = new byte[64 << 10];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int count;
      while ((count = in.read(buffer)) >= 0) {
        String text = new String(buffer, 0, count, StandardCharsets.ISO_8859_1);
        if (requests && text.startsWith(beginning)) {
          held.countDown();
          // Nothing more of this connection until its client is gone.
          in.transferTo(OutputStream.nullOutputStream());
          return;
        }
        out.write(buffer, 0, count);
        out.flush();
      }
    } catch (IOException gone) {
      // One of the two has closed it.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
