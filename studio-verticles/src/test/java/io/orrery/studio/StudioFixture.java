package io.orrery.studio;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.Caller;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.UserName;
import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A studio over a store, and its first users. */
abstract class StudioFixture {
  static final UserName ANN = new UserName("ann");
  static final UserName BOB = new UserName("bob");
  static final ProjectName VISION = new ProjectName("vision");
  static final Actor ROOT = new Actor("root", "10.0.0.1");
  static final String PASSWORD = "three red boats";

  @TempDir Path directory;
  Vertx vertx;
  Store store;
  Bus bus;
  String deployment;
  private int sessions;

  abstract Store open(Vertx vertx, Path directory);

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = open(vertx, directory);
    bus = Bus.of(vertx);
    bus.serve(
        Experiments.LIST, list -> Future.succeededFuture(new Experiments.Page(List.of(), null)));
    deploy();
  }

  void deploy() throws Exception {
    deployment =
        success(
            vertx.deployVerticle(
                new StudioVerticle(
                    bus, store, new SystemClock(vertx), new SecureRandom(), directory)));
  }

  @AfterEach
  void stop() throws Exception {
    success(vertx.undeploy(deployment));
    success(store.close());
    success(vertx.close());
  }

  <Q, A> A ask(Address<Q, A> address, Q question) throws Exception {
    return success(bus.request(address, question));
  }

  <Q> Problem refused(Address<Q, ?> address, Q question) throws Exception {
    return failure(bus.request(address, question));
  }

  /** The first administrator, by the code of the first start. */
  void setUpAnn() throws Exception {
    String code = new BearerToken("first").sha256();
    assertThat(ask(People.FIRST, new People.FirstSetUp(code)).needed()).isTrue();
    ask(People.SET_UP, new People.SetUp(code, "ann", PASSWORD, "10.0.0.2"));
  }

  void createBob(UserRole role) throws Exception {
    String code = new BearerToken("bob's code").sha256();
    ask(People.CREATE, new People.CreateUser(ROOT, BOB, "Bob", "", role, null, code));
    ask(People.SET_UP, new People.SetUp(code, null, PASSWORD, "10.0.0.2"));
  }

  /** The digest of a new session. */
  String signIn(UserName user) throws Exception {
    String digest = new BearerToken("session " + sessions++ + " of " + user).sha256();
    ask(People.SIGN_IN, new People.SignIn(user.value(), PASSWORD, digest, "10.0.0.2"));
    return digest;
  }

  Caller caller(String digest) throws Exception {
    return ask(People.IDENTIFY, new People.Identify(digest)).caller();
  }
}
