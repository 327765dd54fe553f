package io.orrery.benchmarks.router.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;

/**
 * Clients and endpoints in two processes, as they are in life. One process for both never has work
 * for more than one loop of the proxy: it answers for the endpoints or asks for the clients.
 *
 * @param endpoints whose clients stay idle
 * @param clients whose endpoints, where they have some, stay idle
 */
public record Apart(RouterLoad endpoints, Asking clients) implements Asking {
  @Override
  public LoadOutcome run(Task task, Watch watch) throws IOException {
    CompletableFuture<LoadOutcome> served =
        CompletableFuture.supplyAsync(() -> serve(task.withoutClients()));
    LoadOutcome asked = clients.run(task, watch);
    return asked.servedAs(served.join());
  }

  private LoadOutcome serve(Task task) {
    try {
      return endpoints.run(task, () -> {});
    } catch (IOException e) {
      throw new UncheckedIOException("the endpoints could not serve", e);
    }
  }
}
