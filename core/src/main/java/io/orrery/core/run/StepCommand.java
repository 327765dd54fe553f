package io.orrery.core.run;

import java.util.List;

/**
 * The program of a step.
 *
 * @param words a program and its arguments; or one text for the shell
 * @param shell whether it is a text for the shell
 */
public record StepCommand(List<ValueText> words, boolean shell) implements StepWork {
  public StepCommand {
    words = List.copyOf(words);
    if (words.isEmpty() || (shell && words.size() != 1)) {
      throw new IllegalArgumentException("a command has a word, a text for the shell only one");
    }
  }

  @Override
  public List<OutputRef> uses() {
    return words.stream().flatMap(word -> word.outputs().stream()).toList();
  }
}
