package io.orrery.studio;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.UserName;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.json.Json;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.time.SystemClock;
import io.orrery.studio.notebook.NotebookController;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Passes of notebooks end with the accounts of those who have them, on every store. */
abstract class NotebookPassesContract extends ServiceFixture {
  private static final Actor ROOT = new Actor("root", "10.0.0.1");
  private static final UserName BOB = new UserName("bob");
  private static final NotebookName SHARED = new NotebookName("ann-1");
  private static final NotebookName OTHER = new NotebookName("ann-2");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @BeforeEach
  void begin() throws Exception {
    for (String name : List.of("root", "ann", "bob")) {
      UserRole role = name.equals("root") ? UserRole.ADMIN : UserRole.USER;
      success(
          bus.request(
              People.CREATE,
              new People.CreateUser(ROOT, new UserName(name), name, "", role, null, name)));
    }
    put(SHARED, "[\"bob\"]", true);
    put(OTHER, "[]", true);
    success(vertx.deployVerticle(new NotebookController(bus, store, new SystemClock(vertx))));
  }

  private void put(NotebookName name, String share, boolean creates) throws Exception {
    String document = "{\"ide\":\"jupyter\",\"share\":" + share + "}";
    success(
        bus.request(
            Notebooks.PUT,
            new Notebooks.PutNotebook(ANN, name, VISION, document, creates, null, false)));
  }

  private void change(String user, UserRole role, Boolean active) throws Exception {
    success(
        bus.request(
            People.CHANGE,
            new People.ChangeUser(ROOT, new UserName(user), null, null, role, active, null)));
  }

  /** The epoch that routers were told of last. */
  private int ordered(NotebookName name) {
    return Json.parse(String.valueOf(wanted("notebook/" + name).route()))
        .at("/access/epoch")
        .asInt();
  }

  private void awaitEpochs(int shared, int other) throws Exception {
    await("routers know").atMost(PATIENCE).until(() -> ordered(SHARED) == shared);
    await("routers know").atMost(PATIENCE).until(() -> ordered(OTHER) == other);
    assertThat(success(bus.request(Notebooks.GET, new Notebooks.GetNotebook(SHARED))).epoch())
        .isEqualTo(shared);
  }

  @Test
  void whoIsDisabledLosesThePassesOfWhatIsShared() throws Exception {
    change("bob", null, false);
    awaitEpochs(1, 0);

    change("bob", null, true);
    change("bob", UserRole.VIEWER, null);
    awaitEpochs(2, 0);

    change("bob", null, false);
    change("bob", UserRole.USER, true);
    success(bus.request(People.DELETE, new People.DeleteUser(ROOT, BOB)));
    awaitEpochs(3, 0);
  }

  @Test
  void anOwnerWhoIsDisabledLosesThoseOfAllNotebooks() throws Exception {
    change("ann", null, false);
    awaitEpochs(1, 1);
    assertThat(wanted("notebook/ann-1").replicas()).as("its program runs on").isEqualTo(1);
  }

  @Test
  void whatTheOrchestratorMissedIsOrderedAgain() throws Exception {
    away = true;
    change("bob", null, false);
    put(SHARED, "[]", false);
    assertThat(ordered(SHARED)).isZero();

    away = false;
    awaitEpochs(2, 0);
  }
}
