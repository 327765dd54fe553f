package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.options.FilePayload;
import com.microsoft.playwright.options.SelectOption;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.json.Json;
import io.orrery.core.process.SearchPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page of files, of a notebook that runs in a pod. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class ClaimFilesPageIT extends SignedInPage {
  private static final String CLAIMS = "/api/v1/namespaces/trials/persistentvolumeclaims";

  /** The node mounts no claim: its directory is that of the machine, which no person has. */
  private final Path mounted = Path.of("/mnt", person());

  private MockCluster cluster;

  @Override
  String person() {
    return "orrery-page-" + ProcessHandle.current().pid();
  }

  @Override
  String configuration() throws Exception {
    assumeTrue(Files.isWritable(Path.of("/mnt")), "/mnt is not writable");
    assumeTrue(
        SearchPath.of(System.getenv()).find("jupyter-notebook").isPresent(),
        "there is no jupyter-notebook (Debian and Ubuntu: apt install jupyter-notebook)");
    cluster = new MockCluster(temp.resolve("node"), true);
    Files.createDirectories(mounted);
    for (String name : List.of("kubeflow-user-workspace", "kubeflow-archives")) {
      ObjectNode claim = Json.MAPPER.createObjectNode();
      claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
      claim.putObject("metadata").put("name", name);
      cluster.create(CLAIMS, claim);
    }
    Path kubeconfig = cluster.kubeconfig(temp.toAbsolutePath().resolve("kubeconfig"));
    return "clusters: {kube: {runtime: kubernetes, kubeconfig: '%s', namespaces: {notebook: trials, service: elsewhere}}}\n"
        .formatted(kubeconfig);
  }

  @AfterEach
  void stopCluster() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
    DirectoryTree.delete(mounted);
  }

  private Object fetched(String method, String path, String body) {
    return visit
        .page()
        .evaluate(
            "async ([method, url, body]) => (await fetch(url, {method, body})).status",
            List.of(method, server.url() + path, body));
  }

  private void choose(String place) {
    visit.page().getByLabel("Place", exactly()).selectOption(new SelectOption().setLabel(place));
  }

  @Test
  void filesOfAPodAreListedSentShownChangedMovedAndDeletedAndThePlaceIsChosen() throws Exception {
    String document = "{\"name\":\"ann-1\",\"cluster\":\"kube\",\"image\":\"jupyter:1\"}";
    assertThat(fetched("POST", "/api/v1/notebooks", document)).isEqualTo(201);
    visit.to("/notebooks");
    assertThat(visit.at("tr[data-name=ann-1] .pill")).hasText("Running");
    Files.writeString(mounted.resolve("in-pod.txt"), "of the pod");
    Path stored = Files.createDirectories(temp.resolve("home/workspaces/" + person()));
    Files.writeString(stored.resolve("on-server.txt"), "of the server");

    visit.to("/files");
    assertThat(visit.at("tr[data-name='on-server.txt']")).isVisible();
    choose("%s in ann-1".formatted(mounted));
    assertThat(visit.at("tr[data-name='in-pod.txt']")).isVisible();
    assertThat(visit.at("tr[data-name='on-server.txt']")).hasCount(0);
    visit.page().getByLabel("New directory", exactly()).last().fill("it's new");
    visit.button("Make").click();
    visit.link("it's new/").click();
    assertThat(visit.at("nav.crumbs")).containsText("it's new");
    visit
        .at("input[type=file]")
        .setInputFiles(new FilePayload("notes.txt", "text/plain", "first".getBytes(UTF_8)));
    assertThat(visit.at("tr[data-name='notes.txt']")).isVisible();
    Path notes = mounted.resolve("it's new/notes.txt");
    assertThat(notes).hasContent("first");

    visit.button("notes.txt").click();
    assertThat(visit.at("textarea")).hasValue("first");
    visit.at("textarea").fill("second");
    visit.button("Save").click();
    assertThat(visit.at(".toast.good").last()).containsText("Saved");
    assertThat(notes).hasContent("second");
    Files.writeString(notes, "by a program");
    visit.at("textarea").fill("third");
    visit.button("Save").click();
    assertThat(visit.at(".toast.bad").first()).containsText("has changed since it was read");
    assertThat(notes).hasContent("by a program");
    Download download =
        visit.page().waitForDownload(() -> visit.link("Download notes.txt").click());
    assertThat(download.path()).hasContent("by a program");

    visit.button("Move notes.txt").click();
    visit.at("input[name=to]").fill("moved.txt");
    visit.at("tr form button.primary").click();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(mounted.resolve("moved.txt")).exists());
    visit.at("nav.crumbs a").first().click();
    visit.button("Delete moved.txt").click();
    visit.at("dialog[open] button.danger").click();
    assertThat(visit.at("tr[data-name='moved.txt']")).hasCount(0);
    assertThat(mounted.resolve("moved.txt")).doesNotExist();

    choose("/archives/%s in ann-1".formatted(person()));
    assertThat(visit.at("main")).containsText("there is no /archives/" + person());
    choose("on the server");
    assertThat(visit.at("tr[data-name='on-server.txt']")).isVisible();
    choose("%s in ann-1".formatted(mounted));
    assertThat(fetched("POST", "/api/v1/notebooks/ann-1/stop", "")).isEqualTo(200);
    visit.page().reload();
    assertThat(visit.at("main")).containsText("orrery notebook start ann-1");
    assertThat(fetched("DELETE", "/api/v1/notebooks/ann-1", "")).isEqualTo(204);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> cluster.list("/api/v1/namespaces/trials/pods").isEmpty());
  }
}
