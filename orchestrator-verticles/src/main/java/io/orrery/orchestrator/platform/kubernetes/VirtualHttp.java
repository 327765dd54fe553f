package io.orrery.orchestrator.platform.kubernetes;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import java.net.http.HttpClient;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The JDK's HTTP client on the virtual threads that wait for its answers: an answer that is handed
 * over to them from a pool of threads costs a wake-up of the system each time.
 */
final class VirtualHttp extends JdkHttpClientFactory {
  private final ExecutorService threads;

  VirtualHttp() {
    this.threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("cluster-", 0).factory());
  }

  /** For what the library does besides; until the client is closed. */
  Executor threads() {
    return threads;
  }

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return HttpClient.newBuilder().executor(threads);
  }

  @Override
  protected void closeHttpClient(JdkHttpClientImpl client) {
    threads.shutdownNow();
  }
}
