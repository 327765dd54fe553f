package io.orrery.journeys.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import io.orrery.core.process.SearchPath;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The pages of notebooks and files, as a person who has signed in uses them. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class NotebookPagesIT extends SignedInPage {
  @Test
  void aNotebookIsMadeOpenedSharedStoppedAndDeletedAndItsPageReadsNothingOfThePlatform()
      throws Exception {
    assumeTrue(
        SearchPath.of(System.getenv()).find("jupyter-notebook").isPresent(),
        "there is no jupyter-notebook (Debian and Ubuntu: apt install jupyter-notebook)");
    visit.to("/notebooks");
    visit.page().getByLabel("Name", exactly()).fill("ann-1");
    visit.page().getByText("Where it runs, and with what").click();
    visit.page().getByLabel("Memory").fill("4G");
    visit.button("Create").click();
    assertThat(visit.at("tr[data-name=ann-1] .pill")).hasText("Running");
    assertThat(
            visit
                .page()
                .evaluate(
                    "async url => (await (await fetch(url)).json()).resources.memory",
                    server.url() + "/api/v1/notebooks/ann-1"))
        .isEqualTo("4G");

    Page notebook = visit.page().waitForPopup(() -> visit.link("Open").click());
    notebook.waitForLoadState();
    assertThat(notebook.url()).contains("ann-1.notebook.").doesNotContain(server.url().toString());
    assertThat(notebook.locator("body")).containsText("Files");
    // The session's cookie is there, and none of these ways reads with it.
    String me = server.url() + "/api/v1/me";
    assertThat(visit.page().evaluate("async url => (await fetch(url)).status", me)).isEqualTo(200);
    for (String options :
        List.of("{credentials: 'include'}", "{}", "{credentials: 'include', mode: 'no-cors'}")) {
      assertThat(
              notebook.evaluate(
                  "async url => { try { const answer = await fetch(url, "
                      + options
                      + "); return answer.type === 'opaque' ? 'opaque' + await answer.text() :"
                      + " await answer.text(); } catch { return 'refused'; } }",
                  me))
          .as(options)
          .isIn("refused", "opaque");
    }
    assertThat(
            notebook.evaluate(
                "async url => { try { return (await fetch(url, {method: 'POST', credentials:"
                    + " 'include', body: '{}'})).status; } catch { return 'refused'; } }",
                server.url() + "/api/v1/notebooks"))
        .isEqualTo("refused");
    assertThat(
            notebook.evaluate(
                "url => new Promise(done => { const frame = document.createElement('iframe');"
                    + " frame.onload = () => { try { done('' + frame.contentDocument?.body"
                    + ".textContent); } catch { done('refused'); } }; frame.src = url;"
                    + " document.body.append(frame); })",
                me))
        .isIn("refused", "undefined");
    notebook.close();

    visit.button("Share").click();
    visit.page().getByLabel("Users who may enter besides the owner").fill("bob");
    visit.button("Save").click();
    assertThat(visit.at("tr[data-name=ann-1]")).containsText("bob");
    visit.button("ann-1").click();
    assertThat(visit.at("table[aria-label='Events of ann-1']")).containsText("Running");
    aTerminalRunsInTheNotebook();
    aTerminalRunsBesideTheFiles();
    visit.to("/notebooks");
    visit.button("Stop").click();
    assertThat(visit.at("tr[data-name=ann-1] .pill")).hasText("Stopped");
    visit.button("Start").click();
    assertThat(visit.at("tr[data-name=ann-1] .pill")).hasText("Running");
    visit.button("Delete ann-1").click();
    visit.at("dialog[open] button.danger").click();
    assertThat(visit.at("main h2")).hasText("No notebooks yet");
  }

  private void aTerminalRunsInTheNotebook() {
    visit.button("Open a terminal").click();
    assertThat(visit.at("terminal-view textarea")).isFocused();
    type("echo \"in $NOTEBOOK_NAME\"");
    assertThat(visit.at("terminal-view .lines")).containsText("in ann-1");
    visit.button("Close the terminal").click();
    assertThat(visit.at("terminal-view")).hasCount(0);
  }

  private void aTerminalRunsBesideTheFiles() throws Exception {
    Path directory =
        Files.createDirectories(temp.resolve("home/workspaces/ann/my files/it's; echo \"$HOME\""));
    visit.to("/files?path=" + URLEncoder.encode("my files/it's; echo \"$HOME\"", UTF_8));
    visit.button("Open a terminal").click();
    assertThat(visit.at("terminal-view textarea")).isFocused();
    type("echo here > made.txt");
    assertThat(visit.at("tr[data-name='made.txt']")).isVisible();
    assertThat(directory.resolve("made.txt")).hasContent("here");
  }

  private void type(String line) {
    visit.page().keyboard().type(line);
    visit.page().keyboard().press("Enter");
  }

  @Test
  void filesAreSentShownChangedAndDeletedOnThePage() throws Exception {
    Path stored = temp.resolve("home/workspaces/ann");
    visit.to("/files");
    assertThat(visit.at("files-terminal")).containsText("none is running");
    visit.page().getByLabel("New directory", exactly()).last().fill("data");
    visit.button("Make").click();
    visit.link("data/").click();
    assertThat(visit.at("nav.crumbs")).containsText("/mnt/ann");
    visit
        .at("input[type=file]")
        .setInputFiles(
            new FilePayload[] {
              new FilePayload("notes.txt", "text/plain", "first".getBytes(UTF_8)),
              new FilePayload("dot.svg", "image/svg+xml", SVG.getBytes(UTF_8)),
              new FilePayload("raw.bin", "", new byte[] {1, (byte) 0xFF, 0})
            });
    assertThat(visit.at("tr[data-name='notes.txt']")).isVisible();
    assertThat(stored.resolve("data/notes.txt")).hasContent("first");

    visit.button("notes.txt").click();
    assertThat(visit.at("textarea")).hasValue("first");
    visit.at("textarea").fill("second");
    visit.button("Save").click();
    assertThat(visit.at(".toast.good").last()).containsText("Saved");
    assertThat(stored.resolve("data/notes.txt")).hasContent("second");
    // Another program changes it: what the page has is not written over that.
    Files.writeString(stored.resolve("data/notes.txt"), "by a program");
    visit.at("textarea").fill("third");
    visit.button("Save").click();
    assertThat(visit.at(".toast.bad").first()).containsText("has changed since it was read");
    assertThat(stored.resolve("data/notes.txt")).hasContent("by a program");

    visit.button("dot.svg").click();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> Integer.valueOf(9).equals(visit.page().evaluate(WIDTH)));
    visit.button("raw.bin").click();
    assertThat(visit.at("file-view")).containsText("It is no text");
    visit.button("Delete raw.bin").click();
    visit.at("dialog[open] button.danger").click();
    assertThat(visit.at("tr[data-name='raw.bin']")).hasCount(0);
    assertThat(stored.resolve("data/raw.bin")).doesNotExist();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void tablesAndNotebooksAreShownAsSuch() throws Exception {
    Path stored = Files.createDirectories(temp.resolve("home/workspaces/ann"));
    Files.writeString(stored.resolve("t.csv"), "name,score\n\"a, \"\"b\"\"\",1\r\n<b>x</b>,2\n");
    Files.writeString(
        stored.resolve("n.ipynb"),
        "{\"cells\":[{\"cell_type\":\"code\",\"source\":[\"1 + \",\"1\"],\"outputs\":"
            + "[{\"data\":{\"text/plain\":[\"2\"],\"text/html\":[\"<script></script>\"]}}]}]}");

    visit.to("/files?file=t.csv");
    assertThat(visit.at("table[aria-label='Table of t.csv'] td"))
        .hasText(new String[] {"a, \"b\"", "1", "<b>x</b>", "2"});
    visit.button("n.ipynb").click();
    assertThat(visit.at("file-view .cell pre")).hasText(new String[] {"1 + 1", "2"});
    assertThat(visit.at("textarea")).hasValue(Pattern.compile("text/html"));
  }

  private static final String WIDTH = "document.querySelector('img.preview')?.naturalWidth ?? 0";

  private static final String SVG =
      "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><script>alert(1)</script></svg>";
}
