package io.orrery.studio;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.bus.contract.DomainRoutes;
import io.orrery.core.bus.contract.Domains;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceShare;
import io.orrery.core.time.SystemClock;
import io.orrery.studio.control.ServiceController;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Domains and decisions on replicas are kept alike on every store. */
abstract class DomainContract extends ServiceFixture {
  @Test
  void aCanaryNamesServicesThatAreThereAndLeadsNowhereInACircle() throws Exception {
    ServiceName other = new ServiceName("other");
    String canary = DOCUMENT.replace("{\"command\"", "{\"canary\":\"other:60%\",\"command\"");

    Problem missing = failure(bus.request(Services.PUT, document(canary, true, null)));
    assertThat(missing.toString()).contains("there is no service other in the project vision");

    success(
        bus.request(
            Services.PUT,
            new Services.PutService(ANN, other, VISION, DOCUMENT, true, null, false, List.of())));
    put(canary, true);
    assertThat(wanted("service/hello").route()).contains("\"split\":\"other:60%\"");

    Problem circle =
        failure(
            bus.request(
                Services.PUT,
                new Services.PutService(
                    ANN,
                    other,
                    VISION,
                    DOCUMENT.replace("{\"command\"", "{\"canary\":\"hello:1%\",\"command\""),
                    false,
                    null,
                    false,
                    List.of())));
    assertThat(circle.toString()).contains("a cycle: other → hello → other");
  }

  @Test
  void aDecisionAboutTheNumberOfReplicasIsKeptWithItsReason() throws Exception {
    put(DOCUMENT, true);
    success(
        bus.request(
            Services.AUTOSCALE, new Services.AutoScale(HELLO, 1, 2, "380 requests/s of 200 each")));

    assertThat(wanted("service/hello").replicas()).isEqualTo(2);
    assertThat(
            failure(bus.request(Services.AUTOSCALE, new Services.AutoScale(HELLO, 1, 3, "late"))))
        .isInstanceOf(Problem.Conflict.class);
    scale(1);
    assertThat(success(bus.request(Services.SCALINGS, new Services.ScalingsOf(HELLO))).items())
        .extracting(Services.Scaling::reason)
        .containsExactly("ann scaled it", "380 requests/s of 200 each");
  }

  @Test
  void servicesOfOneHostAreADomainWhoseRequestsAreDivided() throws Exception {
    Map<String, DomainRoutes.DomainRoute> told = new ConcurrentHashMap<>();
    bus.serve(
        DomainRoutes.PUT,
        route -> {
          told.put(route.host(), route);
          return Future.succeededFuture(new Done());
        });
    bus.serve(
        DomainRoutes.DROP,
        drop -> {
          told.remove(drop.host());
          return Future.succeededFuture(new Done());
        });
    bus.serve(
        DomainRoutes.LIST,
        all -> Future.succeededFuture(new DomainRoutes.Listed(List.copyOf(told.values()))));
    bus.serve(
        Routes.TRAFFIC,
        asked -> Future.succeededFuture(new Routes.Traffic(1, 1, 1, List.of(), List.of())));
    success(
        vertx.deployVerticle(
            new ServiceController(
                bus, store, new SystemClock(vertx), ZoneId.of("UTC"), new SecureRandom())));
    String hosted = DOCUMENT.replace("{\"command\"", "{\"host\":\"Www.example.com\",\"command\"");
    ServiceName other = new ServiceName("other");

    put(hosted, true);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> shares(told).equals(List.of(new ServiceShare(HELLO, 100))));
    success(
        bus.request(
            Services.PUT,
            new Services.PutService(ANN, other, VISION, hosted, true, null, false, List.of())));
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> shares(told).equals(List.of(new ServiceShare(other, 100))));

    success(
        bus.request(
            Domains.STEER, new Domains.Steer(ANN, "www.example.com", Domains.Action.ABORT)));
    Problem wrong =
        failure(
            bus.request(
                Domains.PUT,
                new Domains.PutDomain(
                    ANN,
                    "www.example.com",
                    List.of(new ServiceShare(new ServiceName("othr"), 20)),
                    null,
                    null,
                    false)));
    assertThat(wrong.toString())
        .contains("the percents are 100 together, not 20")
        .contains("did you mean 'other'");
    success(
        bus.request(
            Domains.PUT,
            new Domains.PutDomain(
                ANN,
                "www.example.com",
                List.of(new ServiceShare(HELLO, 80), new ServiceShare(other, 20)),
                null,
                null,
                false)));
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() ->
            shares(told).equals(List.of(new ServiceShare(HELLO, 80), new ServiceShare(other, 20))));

    success(bus.request(Services.DELETE, new Services.OfService(ANN, HELLO)));
    success(bus.request(Services.DELETE, new Services.OfService(ANN, other)));
    await().atMost(Duration.ofSeconds(30)).until(told::isEmpty);
    assertThat(failure(bus.request(Domains.GET, new Domains.GetDomain("www.example.com"))))
        .isInstanceOf(Problem.NotFound.class);
  }

  private static List<ServiceShare> shares(Map<String, DomainRoutes.DomainRoute> told) {
    DomainRoutes.DomainRoute route = told.get("www.example.com");
    return route == null ? List.of() : route.shares();
  }
}
