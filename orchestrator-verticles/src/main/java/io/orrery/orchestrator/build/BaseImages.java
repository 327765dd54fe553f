package io.orrery.orchestrator.build;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the images that a Containerfile begins with or copies from. Pure. They are pulled before
 * the build, which then needs no password.
 */
final class BaseImages {
  private static final int MOST = 50;
  private static final Pattern VARIABLE =
      Pattern.compile("\\$(?:\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?}|([A-Za-z_][A-Za-z0-9_]*))");
  private static final Pattern MOUNTED = Pattern.compile("--(?:from|mount)=(\\S+)");
  private static final Pattern FROM_OPTION = Pattern.compile("(?:^|,)from=([^,]+)");

  private BaseImages() {}

  /**
   * The names as they stand there, with the values of arguments.
   *
   * @param args that replace the defaults
   */
  static List<String> of(String dockerfile, Map<String, String> args) {
    Map<String, String> values = new HashMap<>();
    Set<String> stages = new HashSet<>();
    Set<String> images = new LinkedHashSet<>();
    boolean inStage = false;
    for (String line : instructions(dockerfile)) {
      String[] words = line.strip().split("\\s+");
      switch (words[0].toUpperCase(Locale.ROOT)) {
        case "ARG" -> {
          if (!inStage) {
            argument(line.strip().substring(3).strip(), args, values);
          }
        }
        case "FROM" -> {
          inStage = true;
          from(words, values, stages, images);
        }
        case "COPY", "ADD", "RUN" -> copied(line, values, stages, images);
        default -> {}
      }
    }
    return images.stream().limit(MOST).toList();
  }

  /** The lines, with those joined that end with a backslash, and without comments. */
  private static List<String> instructions(String dockerfile) {
    List<String> all = new ArrayList<>();
    StringBuilder open = new StringBuilder();
    for (String line : dockerfile.lines().toList()) {
      String bare = line.strip();
      if (bare.startsWith("#") || bare.isEmpty()) {
        continue;
      }
      if (bare.endsWith("\\")) {
        open.append(bare, 0, bare.length() - 1).append(' ');
      } else {
        all.add(open + bare);
        open.setLength(0);
      }
    }
    if (!open.isEmpty()) {
      all.add(open.toString());
    }
    return all;
  }

  private static void argument(String text, Map<String, String> args, Map<String, String> values) {
    int equals = text.indexOf('=');
    String name = equals < 0 ? text : text.substring(0, equals);
    String given = args.get(name);
    if (given != null) {
      values.put(name, given);
    } else if (equals >= 0) {
      values.put(name, filled(text.substring(equals + 1).replaceAll("^[\"']|[\"']$", ""), values));
    }
  }

  private static void from(
      String[] words, Map<String, String> values, Set<String> stages, Set<String> images) {
    int at = 1;
    while (at < words.length && words[at].startsWith("--")) {
      at++;
    }
    if (at < words.length) {
      add(filled(words[at], values), stages, images);
    }
    if (at + 2 < words.length && words[at + 1].equalsIgnoreCase("as")) {
      stages.add(words[at + 2].toLowerCase(Locale.ROOT));
    }
  }

  private static void copied(
      String line, Map<String, String> values, Set<String> stages, Set<String> images) {
    Matcher option = MOUNTED.matcher(line);
    while (option.find()) {
      String value = option.group(1);
      if (option.group().startsWith("--from")) {
        add(filled(value, values), stages, images);
      } else {
        Matcher from = FROM_OPTION.matcher(value);
        if (from.find()) {
          add(filled(from.group(1), values), stages, images);
        }
      }
    }
  }

  private static void add(String image, Set<String> stages, Set<String> images) {
    boolean isStage = stages.contains(image.toLowerCase(Locale.ROOT)) || image.matches("\\d+");
    if (!isStage && !image.equals("scratch")) {
      images.add(image);
    }
  }

  private static String filled(String text, Map<String, String> values) {
    Matcher variable = VARIABLE.matcher(text);
    StringBuilder out = new StringBuilder();
    while (variable.find()) {
      String name = variable.group(1) == null ? variable.group(3) : variable.group(1);
      String otherwise = variable.group(2) == null ? "" : variable.group(2);
      variable.appendReplacement(
          out, Matcher.quoteReplacement(values.getOrDefault(name, otherwise)));
    }
    variable.appendTail(out);
    return out.toString();
  }
}
