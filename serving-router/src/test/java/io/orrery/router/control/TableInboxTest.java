package io.orrery.router.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.route.RouteLayer;
import io.orrery.router.policy.RateExchange;
import io.orrery.router.policy.Rates;
import io.orrery.router.policy.Tables;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.Service;
import io.orrery.router.telemetry.Meters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Layers on their way into the table in force, and onto the disk. */
class TableInboxTest {
  private static final String DOMAIN = "example.com";

  @TempDir Path home;

  private TableInbox inbox() {
    LastGood kept = new LastGood(home.resolve("routes.json"), home.resolve("routes-studio.json"));
    return new TableInbox(
        new Tables(kept.find(DOMAIN), 1), new Meters(), exchange(), kept, table -> {});
  }

  private static Iterable<String> names(TableInbox inbox) {
    return inbox.current().table().services().stream().map(Service::name).toList();
  }

  private static String shown(TableInbox inbox) {
    ObjectNode shown = Json.MAPPER.createObjectNode();
    inbox.services(inbox.current(), shown.putArray("services")::add);
    return Json.write(shown);
  }

  @Test
  void whatWasAcceptedOfEachLayerIsThereAfterARestart() throws IOException {
    TableInbox inbox = inbox();
    inbox.follow(RouteLayer.STUDIO, 7, "services: [{name: s}]");
    inbox.replace("services: [{name: a, split: 's:10%'}]", null);

    TableInbox restarted = inbox();

    assertThat(names(restarted)).containsExactly("a", "s");
    assertThat(restarted.current().table().revision(RouteLayer.STUDIO)).isEqualTo(7);
    assertThat(restarted.current().table().missing("a")).isEmpty();
    assertThat(Files.readString(home.resolve("routes.json"))).doesNotContain("\"name\":\"s\"");
  }

  @Test
  void aDamagedCopyOfTheStoresLayerIsLeftAloneAndTheTableServes() throws IOException {
    TableInbox inbox = inbox();
    inbox.follow(RouteLayer.STUDIO, 7, "services: [{name: s}]");
    inbox.replace("services: [{name: a}]", null);
    Files.writeString(home.resolve("routes-studio.json"), "{\"services\":[{\"name\":\"evil\"}]}");

    TableInbox restarted = inbox();

    assertThat(names(restarted)).containsExactly("a");
    restarted.follow(RouteLayer.STUDIO, 7, "services: [{name: s}]");
    assertThat(names(restarted)).containsExactly("a", "s");
  }

  @Test
  void theAnswerMayBePutBackUnchangedAndNothingChanges() {
    TableInbox inbox = inbox();
    inbox.follow(RouteLayer.STUDIO, 7, "services: [{name: s, timeout: {total: 5s}}]");
    inbox.replace("services: [{name: a}]", null);
    String revision = inbox.revision(inbox.current().table());
    JsonNode services = Json.parse(shown(inbox)).get("services");
    assertThat(services.findValuesAsText("layer")).containsExactly("table", "studio");

    inbox.replace(shown(inbox), revision);

    assertThat(names(inbox)).containsExactly("a", "s");
    assertThat(inbox.revision(inbox.current().table())).isEqualTo(revision);
  }

  @Test
  void theRevisionCoversAllLayers() {
    TableInbox inbox = inbox();
    inbox.replace("services: [{name: a}]", null);
    String seen = inbox.revision(inbox.current().table());

    inbox.follow(RouteLayer.STUDIO, 7, "services: [{name: s}]");

    assertThatThrownBy(() -> inbox.replace("services: []", seen))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.problem()).isInstanceOf(Problem.Conflict.class));
    assertThat(names(inbox)).containsExactly("a", "s");
  }

  @Test
  void aCheckRefusesWhatAReplacementWouldAndChangesNothing() {
    TableInbox inbox = inbox();
    inbox.replace("services: [{name: a}]", null);
    String seen = inbox.revision(inbox.current().table());

    assertThat(inbox.check("services: [{name: b}]", seen)).isSameAs(inbox.current());
    assertThatThrownBy(() -> inbox.check("services: [{name: b}]", "another"))
        .isInstanceOf(ProblemException.class);
    assertThatThrownBy(() -> inbox.check("services: [{nome: b}]", null))
        .isInstanceOf(ProblemException.class);
    assertThat(names(inbox)).containsExactly("a");
  }

  @Test
  void aLayerInConflictChangesNothingInMemoryOrOnDisk() throws IOException {
    TableInbox inbox = inbox();
    inbox.follow(RouteLayer.STUDIO, 7, "services: [{name: s}]");
    inbox.replace("services: [{name: a}]", null);
    RouteTable before = inbox.current().table();

    assertThatThrownBy(() -> inbox.replace("services: [{name: s}]", null))
        .hasMessageContaining("belongs to the layer studio");
    assertThatThrownBy(() -> inbox.follow(RouteLayer.STUDIO, 8, "services: [{name: a}]"))
        .hasMessageContaining("belongs to the layer table");
    assertThatThrownBy(() -> inbox.check(RouteLayer.STUDIO, "services: [{name: a}]"))
        .hasMessageContaining("belongs to the layer table");

    assertThat(inbox.current().table()).isSameAs(before);
    assertThat(names(inbox())).containsExactly("a", "s");
  }

  @Test
  void aLayerOfTheStoreIsInForceBeforeItIsOnTheDiskAndSettledOnlyAfter() throws IOException {
    Path folder = home.resolve("state");
    Path studio = folder.resolve("routes-studio.json");
    LastGood copies = new LastGood(home.resolve("routes.json"), studio);
    Tables tables = new Tables(RouteTable.empty(DOMAIN), 1);
    TableInbox inbox = new TableInbox(tables, new Meters(), exchange(), copies, tables::settle);
    Files.writeString(folder, "in the way");

    assertThatThrownBy(() -> inbox.follow(RouteLayer.STUDIO, 7, "services: [{name: s}]"))
        .hasMessageContaining("cannot be kept on disk");

    assertThat(names(inbox)).containsExactly("s");
    assertThat(inbox.settled().table().revision(RouteLayer.STUDIO)).isZero();
    inbox.replace("services: [{name: a}]", null);
    assertThat(inbox.isUnkept()).isTrue();
    assertThat(inbox.settled().table().revision(RouteLayer.STUDIO)).isZero();

    Files.delete(folder);
    inbox.follow(RouteLayer.STUDIO, 7, "services: [{name: s}]");

    assertThat(inbox.isUnkept()).isFalse();
    assertThat(inbox.settled().table().revision(RouteLayer.STUDIO)).isEqualTo(7);
    assertThat(copies.find(DOMAIN).services()).extracting(Service::name).containsExactly("a", "s");
  }

  private static RateExchange exchange() {
    return new RateExchange(new Rates(), () -> 0);
  }
}
