package io.orrery.orchestrator.bundle;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A GET over HTTP/1.1 that connects to addresses which were checked. The name of the host is not
 * looked up again, so it cannot mean another address when the connection is made. Blocks.
 *
 * <p>Not on the client of Vert.x, which connects to a given address as well: of a response that is
 * paused, as a slow disk does it, that client lost what had come when the server closed the
 * connection, so models broke off now and then. The client of the JDK takes no address.
 */
final class PinnedGet implements AutoCloseable {
  private static final int HTTP = 80;
  private static final int HTTPS = 443;
  private static final int MOST_HEAD = 64 << 10;
  private static final int MOST_HEX = 8;

  private final Socket socket;
  private final InputStream in;
  private final int status;
  private final Map<String, String> headers = new HashMap<>();
  private int left = MOST_HEAD;

  /**
   * Asks, and reads the head of the answer.
   *
   * @param at an address that begins with http or https
   * @param addresses of its host; the next one is tried when one takes no connection
   * @param patience for a connection, and for the answer to begin
   */
  PinnedGet(URI at, List<InetAddress> addresses, Duration patience) throws IOException {
    URI target = URI.create(at.toASCIIString());
    this.socket = connected(target, addresses, (int) patience.toMillis());
    try {
      OutputStream out = socket.getOutputStream();
      out.write(head(target).getBytes(StandardCharsets.US_ASCII));
      out.flush();
      this.in = new BufferedInputStream(socket.getInputStream());
      this.status = readHead();
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static Socket connected(URI target, List<InetAddress> addresses, int millis)
      throws IOException {
    boolean sealed = target.getScheme().equalsIgnoreCase("https");
    int port = target.getPort() > 0 ? target.getPort() : sealed ? HTTPS : HTTP;
    IOException last = new IOException(target.getHost() + " has no address");
    for (InetAddress address : addresses) {
      Socket plain = new Socket(Proxy.NO_PROXY);
      try {
        plain.connect(new InetSocketAddress(address, port), millis);
        plain.setSoTimeout(millis);
        return sealed ? sealed(plain, target.getHost(), port) : plain;
      } catch (IOException e) {
        plain.close();
        last = e;
      }
    }
    throw last;
  }

  /** The certificate has to be one of the host that was asked for. */
  private static Socket sealed(Socket plain, String host, int port) throws IOException {
    String name = host.replaceAll("[\\[\\]]", "");
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    SSLSocket tls = (SSLSocket) factory.createSocket(plain, name, port, true);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    tls.setSSLParameters(parameters);
    tls.startHandshake();
    return tls;
  }

  private static String head(URI target) {
    String path = target.getRawPath().isEmpty() ? "/" : target.getRawPath();
    String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
    String port = target.getPort() > 0 ? ":" + target.getPort() : "";
    return "GET %s%s HTTP/1.1\r\nHost: %s%s\r\nUser-Agent: Orrery\r\nAccept: */*\r\nConnection: close\r\n\r\n"
        .formatted(path, query, target.getHost(), port);
  }

  private int readHead() throws IOException {
    int code;
    do {
      headers.clear();
      code = code(line());
      for (String line = line(); !line.isEmpty(); line = line()) {
        int colon = line.indexOf(':');
        if (colon > 0) {
          headers.putIfAbsent(
              line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
              line.substring(colon + 1).strip());
        }
      }
    } while (code / 100 == 1);
    return code;
  }

  private static int code(String line) throws IOException {
    String[] words = line.split(" ", 3);
    if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("[1-9][0-9]{2}")) {
      throw new IOException("its server does not speak HTTP/1.1");
    }
    return Integer.parseInt(words[1]);
  }

  /** A line without its end; of the head, or between two chunks. */
  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("its server has closed the connection");
      }
      if (--left < 0) {
        throw new IOException("the head of its server's answer is too long");
      }
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }

  int status() {
    return status;
  }

  @Nullable String header(String name) {
    return headers.get(name);
  }

  /** The length that the answer says it has; -1 when it does not say. */
  long length() throws IOException {
    String length = headers.get("content-length");
    if (length == null || isChunked()) {
      return -1;
    }
    if (!length.matches("[0-9]{1,18}")) {
      throw new IOException("its server gives a length that is no number");
    }
    return Long.parseLong(length);
  }

  private boolean isChunked() {
    return headers
        .getOrDefault("transfer-encoding", "")
        .toLowerCase(Locale.ROOT)
        .contains("chunked");
  }

  /**
   * The body; reading fails when the connection ends before it does.
   *
   * @param silence the longest time between two pieces of it
   */
  InputStream body(Duration silence) throws IOException {
    socket.setSoTimeout((int) silence.toMillis());
    return isChunked() || length() >= 0 ? new Pieces(length()) : in;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** A body of a length, or of chunks. */
  private final class Pieces extends InputStream {
    private final boolean chunked;
    private long rest;
    private boolean begun;
    private boolean over;

    /**
     * @param length -1 for chunks
     */
    Pieces(long length) {
      this.chunked = length < 0;
      this.rest = Math.max(0, length);
      this.over = length == 0;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (chunked && rest == 0 && !over) {
        nextChunk();
      }
      if (over) {
        return -1;
      }
      int read = in.read(into, from, (int) Math.min(length, rest));
      if (read < 0) {
        throw new EOFException("its server has closed the connection before the end");
      }
      rest -= read;
      over = !chunked && rest == 0;
      return read;
    }

    private void nextChunk() throws IOException {
      left = MOST_HEAD;
      if (begun) {
        line();
      }
      begun = true;
      String size = line().replaceFirst(";.*", "").strip();
      if (size.length() > MOST_HEX || !size.matches("[0-9A-Fa-f]+")) {
        throw new IOException("its server sends what is no chunk");
      }
      rest = Long.parseLong(size, 16);
      over = rest == 0;
    }
  }
}
