package io.orrery.compute.runtime.replica;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Tests whether ports of this machine are free. */
public final class FreePorts {
  private FreePorts() {}

  /** Whether no program listens on a port, at any address. */
  public static boolean isFree(int port) {
    try (Socket probe = new Socket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
