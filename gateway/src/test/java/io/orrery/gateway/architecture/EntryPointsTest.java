package io.orrery.gateway.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * Tests that messages of the bus, which ask for no permission themselves, are reached through entry
 * points alone that check their callers: {@code docs/architecture.md} lists them.
 */
@AnalyzeClasses(packages = "io.orrery", importOptions = BordersTest.Product.class)
class EntryPointsTest {
  /** No bridge and no handler of another package: what is on the bus came from typed requests. */
  @ArchTest
  static final ArchRule THE_BUS_OF_VERTX_IS_USED_IN_ONE_PLACE =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.orrery.core.bus..", "io.orrery.gateway.cluster..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.vertx.core.eventbus..",
              "io.vertx.ext.bridge..",
              "io.vertx.ext.eventbus..",
              "io.vertx.ext.web.handler.sockjs..");

  @ArchTest
  static final ArchRule EACH_LISTENER_IS_KNOWN =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.orrery.gateway.http.EdgeVerticle")
          .and()
          .doNotHaveFullyQualifiedName("io.orrery.compute.remote.KeeperGate")
          .and()
          .doNotHaveFullyQualifiedName("io.orrery.router.control.AdminVerticle")
          .and()
          .doNotHaveFullyQualifiedName("io.orrery.router.proxy.RouterVerticle")
          .and()
          .resideOutsideOfPackage("io.orrery.benchmarks..")
          .should()
          .callMethodWhere(target(nameMatching("create(Http|Net|Datagram).*(Server|Socket)")));

  /** Its methods take the need of each route. */
  @ArchTest
  static final ArchRule ROUTES_OF_THE_API_ARE_ADDED_BY_THE_API_ROUTER =
      noClasses()
          .that()
          .resideInAPackage("io.orrery.gateway..")
          .and()
          .resideOutsideOfPackage("io.orrery.gateway.http..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("io.vertx.ext.web.Router");

  @ArchTest
  static final ArchRule COMMANDS_REACH_A_SERVER_BY_ITS_API =
      noClasses()
          .that()
          .resideInAPackage("io.orrery.cli..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("io.orrery.core.bus.Bus");
}
