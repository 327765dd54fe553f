import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.httpproxy.HttpProxy;
import io.vertx.httpproxy.OriginRequestProvider;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Starts vertx-http-proxy as it comes, on epoll, with one event loop and hosts in a hash table. */
public final class Peer {
  private Peer() {}

  /** Port, owner's port, canary's port, how many plain hosts. */
  public static void main(String[] arguments) throws Exception {
    SocketAddress owner = at(arguments[1]);
    SocketAddress canary = at(arguments[2]);
    Map<String, SocketAddress> hosts = new HashMap<>();
    for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
      hosts.put("s" + i + ".service.orrery.localhost", owner);
    }
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    var client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(4096));
    HttpProxy proxy = HttpProxy.reverseProxy(client);
    proxy.origin(
        OriginRequestProvider.selector(context -> {
          String host = context.request().proxiedRequest().authority().host();
          SocketAddress found = hosts.get(host);
          if (found == null && host.startsWith("split.")) {
            found = ThreadLocalRandom.current().nextInt(10) == 0 ? canary : owner;
          }
          return found == null
              ? Future.failedFuture("no backend has this host")
              : Future.succeededFuture(found);
        }));
    vertx
        .createHttpServer(new HttpServerOptions().setAcceptBacklog(4096))
        .requestHandler(proxy)
        .listen(Integer.parseInt(arguments[0]), "127.0.0.1");
  }

  private static SocketAddress at(String port) {
    return SocketAddress.inetSocketAddress(Integer.parseInt(port), "127.0.0.1");
  }
}
