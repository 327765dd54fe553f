package io.orrery.studio.notebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.orrery.core.notebook.NotebookIde;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NotebookDocumentReaderTest {
  private static final NotebookName NAME = new NotebookName("ann-1");

  private static NotebookDocument read(String text) {
    return NotebookDocumentReader.read(NAME, "ann", text).document();
  }

  private static List<String> refused(String text) {
    Problem problem = Problem.of(catchThrowable(() -> read(text)));
    assertThat(problem).isInstanceOf(Problem.Refused.class);
    return ((Problem.Refused) problem).findings().stream().map(Finding::pointer).toList();
  }

  @Test
  void aWholeDocumentIsRead() {
    NotebookDocument document =
        read(
            """
            {"kind": "Notebook", "name": "ann-1", "ide": "vscode", "image": "host",
             "resources": {"cpu": 4, "memory": "8G", "gpu": 0}, "env": {"A": "1"},
             "open": "/mnt/ann/work/x.ipynb", "share": ["bob", "ann", "bob"],
             "expiry": {"idle": "8h"}}
            """);

    assertThat(document.ide()).isEqualTo(NotebookIde.VSCODE);
    assertThat(document.image()).isNull();
    assertThat(document.resources().memory().least()).isZero();
    assertThat(document.resources().memory().most()).isEqualTo(8L << 30);
    assertThat(document.open()).isEqualTo("work/x.ipynb");
    assertThat(document.share()).containsExactly("bob");
    assertThat(document.idle()).isEqualTo(Duration.ofHours(8));
    assertThat(read("{}").idle()).isEqualTo(Duration.ofHours(24));
  }

  @Test
  void everyFaultIsToldAtItsPlace() {
    assertThat(
            refused(
                """
                {"kind": "Service", "name": "bob-1", "ide": "emacs", "imag": "x",
                 "resources": {"cpu": "lots"}, "env": {"JUPYTER_TOKEN": "mine", "HOME": "/"},
                 "mounts": "data", "open": "/mnt/bob/x", "share": ["bob", 7, "a/b"],
                 "expiry": {"idle": "1s"}}
                """))
        .containsExactlyInAnyOrder(
            "/imag",
            "/kind",
            "/name",
            "/ide",
            "/resources/cpu",
            "/env",
            "/env",
            "/mounts",
            "/open",
            "/share/1",
            "/share/2",
            "/expiry/idle");
    assertThat(refused("{\"open\": \"/mnt/ann/../bob\"}")).containsExactly("/open");
    assertThat(refused("[]")).containsExactly("");
  }
}
