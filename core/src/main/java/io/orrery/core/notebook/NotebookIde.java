package io.orrery.core.notebook;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The program that a notebook is. */
public enum NotebookIde {
  /** JupyterLab, Jupyter Notebook or Jupyter Server, the first of them that is there. */
  JUPYTER,
  /** code-server: Visual Studio Code in the browser. */
  VSCODE,
  /** TensorBoard on a directory with logs. */
  TENSORBOARD;

  /** The word in documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The program of a word; empty when there is none. */
  public static Optional<NotebookIde> of(String word) {
    return Arrays.stream(values()).filter(ide -> ide.word().equals(word)).findFirst();
  }

  /** All words. */
  public static List<String> words() {
    return Arrays.stream(values()).map(NotebookIde::word).toList();
  }
}
