package io.orrery.router.run;

import io.orrery.router.proxy.FrameClient;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** A client of HTTP/2 that uploads on many streams, as much as the router's windows take. */
final class PouringClient {
  private static final int STREAMS = 100;
  private static final int WINDOW = 65_535;
  private static final int PIECE = 16 * 1024;

  private final FrameClient frames;
  private final AtomicLong poured;
  private final long[] windows = new long[STREAMS];
  private long window = WINDOW;

  /**
   * @param frames a client that has greeted
   * @param poured counts the bytes that went
   */
  PouringClient(FrameClient frames, AtomicLong poured) {
    this.frames = frames;
    this.poured = poured;
  }

  /** Uploads to a path until the router takes no more, or closes. */
  void pour(String path) {
    try {
      for (int i = 0; i < STREAMS; i++) {
        windows[i] = WINDOW;
        frames.frame(
            FrameClient.HEADERS,
            FrameClient.END_HEADERS,
            2 * i + 1,
            FrameClient.request("POST", path));
      }
      do {
        for (int i = 0; i < STREAMS; i++) {
          send(i);
        }
      } while (hear());
    } catch (IOException cut) {
      // By the router, or by the end of the test.
    }
  }

  private void send(int stream) throws IOException {
    int bytes = (int) Math.min(PIECE, Math.min(window, windows[stream]));
    if (bytes > 0) {
      window -= bytes;
      windows[stream] -= bytes;
      frames.frame(FrameClient.DATA, 0, 2 * stream + 1, new byte[bytes]);
      poured.addAndGet(bytes);
    }
  }

  /** Whether a window has been opened again; a router that is silent for long may open one yet. */
  private boolean hear() throws IOException {
    while (true) {
      FrameClient.Frame frame;
      try {
        frame = frames.read();
      } catch (SocketTimeoutException silent) {
        continue;
      }
      if (frame == null) {
        return false;
      }
      if (frame.type() == FrameClient.WINDOW_UPDATE) {
        int more = ByteBuffer.wrap(frame.payload()).getInt();
        if (frame.stream() == 0) {
          window += more;
        } else {
          windows[(frame.stream() - 1) / 2] += more;
        }
        return true;
      }
    }
  }
}
