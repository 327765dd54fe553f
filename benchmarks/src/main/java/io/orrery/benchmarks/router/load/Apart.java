package io.orrery.benchmarks.router.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;

/**
 * Clients and endpoints in two processes, as they are in life. One process for both never has work
 * for more than one loop of the proxy: it answers for the endpoints or asks for the clients.
 *
 * @param endpoints whose clients stay idle
 * @param clients whose endpoints stay idle
 */
public record Apart(Load endpoints, Load clients) implements Asking {
  @Override
  public Outcome run(Task task, Watch watch) throws IOException {
    CompletableFuture<Outcome> served =
        CompletableFuture.supplyAsync(() -> serve(task.withoutClients()));
    Outcome asked = clients.run(task, watch);
    return asked.servedAs(served.join());
  }

  private Outcome serve(Task task) {
    try {
      return endpoints.run(task, () -> {});
    } catch (IOException e) {
      throw new UncheckedIOException("the endpoints could not serve", e);
    }
  }
}
