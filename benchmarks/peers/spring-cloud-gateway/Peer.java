import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Starts Spring Cloud Gateway as it comes, with one event loop and a route for each host. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class Peer {
  /** Port, owner's port, canary's port, how many plain hosts. */
  public static void main(String[] arguments) {
    System.setProperty("reactor.netty.ioWorkerCount", "1");
    System.setProperty("reactor.netty.pool.maxConnections", "4096");
    SpringApplication application = new SpringApplication(Peer.class);
    application.setWebApplicationType(WebApplicationType.REACTIVE);
    application.setDefaultProperties(
        Map.of(
            "server.address", "127.0.0.1",
            "server.port", arguments[0],
            "peer.owner", "http://127.0.0.1:" + arguments[1],
            "peer.canary", "http://127.0.0.1:" + arguments[2],
            "peer.hosts", arguments[3],
            "logging.level.root", "WARN",
            "spring.main.banner-mode", "off",
            "spring.cloud.gateway.server.webflux.httpclient.pool.max-connections", "4096",
            "spring.cloud.gateway.server.webflux.httpclient.pool.type", "ELASTIC"));
    application.run();
  }

  @Bean
  RouteLocator routes(RouteLocatorBuilder builder, Environment environment) {
    String owner = environment.getRequiredProperty("peer.owner");
    String canary = environment.getRequiredProperty("peer.canary");
    var routes = builder.routes();
    for (int i = 0; i < environment.getRequiredProperty("peer.hosts", Integer.class); i++) {
      String host = "s" + i + ".service.orrery.localhost";
      routes.route(
          "s" + i, route -> route.host(host).filters(f -> f.preserveHostHeader()).uri(owner));
    }
    String split = "split.service.orrery.localhost";
    return routes
        .route("most", r -> r.weight("split", 90).and().host(split).uri(owner))
        .route("rest", r -> r.weight("split", 10).and().host(split).uri(canary))
        .build();
  }
}
