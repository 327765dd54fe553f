package io.orrery.cli.notebook;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.SocketOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionException;

/** Passes the bytes of connections on to the SSH server of a notebook, each over a WebSocket. */
final class SshBridge {
  private static final int PIECE = 16 * 1024;

  private final Session session;
  private final Resource address;

  SshBridge(Session session, String notebook) {
    this.session = session;
    this.address = Resource.of("notebooks", notebook, "ssh");
  }

  /** A port of the loopback address whose connections are passed on; the caller closes it. */
  ServerSocket listen() throws IOException {
    ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    daemon("ssh-bridge", () -> accept(listener));
    return listener;
  }

  private void accept(ServerSocket listener) {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        daemon("ssh-connection", () -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      pass(client.getInputStream(), client.getOutputStream());
    } catch (IOException gone) {
      // The program at the other end has closed it, and tells why.
    } catch (RuntimeException refused) {
      session.terminal().err().println(refused.getMessage());
    }
  }

  /** Passes bytes on in both directions until the server has closed. */
  void pass(InputStream in, OutputStream out) {
    Output output = new Output(out);
    WebSocket socket = session.api().webSocket(address, output);
    daemon("ssh-input", () -> copy(in, socket));
    try {
      output.ended().join();
    } catch (CompletionException e) {
      throw CommandFailure.failed("the connection broke off: " + String.valueOf(e.getCause()));
    } finally {
      socket.abort();
    }
  }

  private static void copy(InputStream in, WebSocket socket) {
    byte[] piece = new byte[PIECE];
    try {
      for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
        socket.sendBinary(ByteBuffer.wrap(piece, 0, length), true).join();
      }
      socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    } catch (IOException | CompletionException gone) {
      socket.abort();
    }
  }

  private static void daemon(String name, Runnable action) {
    Thread thread = new Thread(action, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** The receiver of the server's bytes; its end tells nothing. */
  private static final class Output extends SocketOutput<Boolean> {
    Output(OutputStream out) {
      super(out);
    }

    @Override
    protected Boolean closed() {
      return true;
    }
  }
}
