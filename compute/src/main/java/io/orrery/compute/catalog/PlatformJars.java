package io.orrery.compute.catalog;

import io.orrery.compute.service.TrainingServiceFactory;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A loader of platforms from a folder of jars, one platform a jar. Each has a class loader of its
 * own above the server's classes, so that two may bring different versions of the same library. A
 * jar that cannot be loaded is reported and affects no other.
 */
final class PlatformJars {
  private PlatformJars() {}

  /**
   * The outcome of loading a jar.
   *
   * @param factory null when it could not be had
   * @param fault why, and what would be right; null when nothing is wrong
   */
  record Loaded(String jar, @Nullable TrainingServiceFactory factory, @Nullable String fault) {}

  /** Every {@code *.jar} of a folder by name; none when there is no such folder. */
  static List<Loaded> of(Path folder) {
    List<Path> jars = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
        found.forEach(jars::add);
      } catch (IOException e) {
        return List.of(new Loaded(folder.toString(), null, "cannot be read: " + e.getMessage()));
      }
    }
    jars.sort(null);
    List<Loaded> all = new ArrayList<>();
    jars.forEach(jar -> all.addAll(load(jar)));
    return all;
  }

  private static List<Loaded> load(Path jar) {
    String name = String.valueOf(jar.getFileName());
    List<Loaded> loaded = new ArrayList<>();
    try {
      ClassLoader loader =
          new URLClassLoader(
              name, new URL[] {jar.toUri().toURL()}, PlatformJars.class.getClassLoader());
      for (var provider :
          ServiceLoader.load(TrainingServiceFactory.class, loader).stream().toList()) {
        // The loader above tells its own as well.
        if (loader.equals(provider.type().getClassLoader())) {
          TrainingServiceFactory factory = provider.get();
          String lacks = lacking(factory);
          loaded.add(new Loaded(name, lacks == null ? factory : null, lacks));
        }
      }
    } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
      return List.of(new Loaded(name, null, words(e)));
    } catch (MalformedURLException e) {
      return List.of(new Loaded(name, null, "its name cannot be part of a URL"));
    }
    return loaded.isEmpty()
        ? List.of(
            new Loaded(
                name,
                null,
                "brings no platform: it needs a file META-INF/services/"
                    + TrainingServiceFactory.class.getName()
                    + " with the name of a class in it"))
        : loaded;
  }

  /** A fault of a factory that was compiled when there was another contract; null for none. */
  private static @Nullable String lacking(TrainingServiceFactory factory) {
    return Stream.of(factory.getClass().getMethods())
        .filter(method -> Modifier.isAbstract(method.getModifiers()))
        .map(method ->
            Stream.of(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", method.getName() + "(", ")")))
        .min(Comparator.naturalOrder())
        .map(missing ->
            "cannot be used: it was compiled against another version, and has no " + missing)
        .orElse(null);
  }

  /** The innermost cause says what is missing. */
  static String words(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String words = String.valueOf(cause.getMessage());
    // Of these the message is a name alone.
    boolean bare = cause instanceof LinkageError || cause instanceof ClassNotFoundException;
    String said = bare ? cause.getClass().getSimpleName() + ": " + words : words;
    return "cannot be used: " + said;
  }
}
