package io.orrery.benchmarks.router.load;

/**
 * A task of the load program.
 *
 * @param port of the proxy
 * @param host that is asked for; a star in it is a number from 0 to {@code domains} - 1
 * @param domains how many hosts the connections are dealt out to
 * @param connections of clients
 * @param bytes of a request's body; 0 is a GET
 * @param rate requests a second, counted from when each was due; 0 asks again after each answer
 * @param millis how long
 * @param kills whether the second endpoint is dead for the middle third of that time
 * @param lateMillis how long every fiftieth answer of the endpoints takes; 0 when none does
 */
public record Task(
    int port,
    String host,
    int domains,
    int connections,
    int bytes,
    int rate,
    int millis,
    boolean kills,
    int lateMillis) {
  /** How much longer endpoints run when clients are another process, which has to warm up. */
  private static final int LONGER_MILLIS = 1_000;

  /** The task of endpoints when clients are another process. */
  Task withoutClients() {
    return new Task(port, host, 1, 0, bytes, 0, millis + LONGER_MILLIS, kills, lateMillis);
  }
}
