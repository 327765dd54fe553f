package io.orrery.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.TrainingServiceFactory;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Jars with platforms, as their authors would build them. */
public final class PlatformJar {
  private static final Path PAGE = Path.of("../docs/how-to/training-service.md");

  private PlatformJar() {}

  /**
   * The platform {@code nice}, whose classes stand in the how-to page.
   *
   * @param home where a server looks for platforms
   * @param work where it is compiled
   */
  public static void nice(Path home, Path work) throws IOException {
    List<Path> sources = new ArrayList<>();
    Matcher block =
        Pattern.compile("`(\\w+\\.java)`:\n\n```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    while (block.find()) {
      sources.add(Files.writeString(work.resolve(block.group(1)), block.group(2)));
    }
    assertThat(sources).hasSize(2);
    Path classes = compiled(contracts(), work.resolve("classes"), sources);
    write(home, "nice.jar", "example.NiceServiceFactory", classes);
  }

  /**
   * The platform {@code silent}, which does not say which server can take over its trials.
   *
   * @param home where a server looks for platforms
   * @param work where it is compiled
   */
  public static void silent(Path home, Path work) throws IOException {
    Path source =
        Files.writeString(
            work.resolve("Silent.java"),
            """
            import io.orrery.compute.service.*;

            public final class Silent implements TrainingServiceFactory {
              public String platform() { return "silent"; }
              public String summary() { return "Says nothing."; }
              public java.util.List<io.orrery.core.problem.Finding> check(
                  io.orrery.core.experiment.JobSpec job) { return java.util.List.of(); }
              public TrainingService open(Surroundings surroundings) {
                return new io.orrery.compute.local.LocalServiceFactory()
                    .open(surroundings);
              }
            }
            """);
    write(home, "silent.jar", "Silent", compiled(work.resolve("silent"), List.of(source)));
  }

  /** The class path of this test with {@code core} and {@code compute-api} as only modules. */
  private static String contracts() {
    Pattern others =
        Pattern.compile(
            "/(kubernetes|compute|trial-sdk|gateway|journeys|cli|ui-static|[a-z]+-(verticles?|router))"
                + "(/target/|-[0-9.]+(-tests)?\\.jar$)");
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !others.matcher(entry + "/").find() && !others.matcher(entry).find())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Compiles against what this test sees; returns the directory. */
  private static Path compiled(Path classes, List<Path> sources) {
    return compiled(System.getProperty("java.class.path"), classes, sources);
  }

  private static Path compiled(String seen, Path classes, List<Path> sources) {
    List<String> arguments =
        new ArrayList<>(List.of("-proc:none", "-cp", seen, "-d", classes.toString()));
    sources.forEach(source -> arguments.add(source.toString()));
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, arguments.toArray(String[]::new)))
        .as("the compiler's complaints are in this test's errors")
        .isZero();
    return classes;
  }

  /**
   * Puts a jar where a server looks for platforms.
   *
   * @param classes what is in it; a directory that is not there stands for none
   */
  public static void write(Path home, String name, String factory, Path classes)
      throws IOException {
    Path jar = Files.createDirectories(home.resolve("platforms")).resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      String services = "META-INF/services/" + TrainingServiceFactory.class.getName();
      put(out, services, factory.getBytes(StandardCharsets.UTF_8));
      if (Files.isDirectory(classes)) {
        try (Stream<Path> files = Files.walk(classes)) {
          for (Path file : files.filter(Files::isRegularFile).toList()) {
            put(out, classes.relativize(file).toString(), Files.readAllBytes(file));
          }
        }
      }
    }
  }

  private static void put(JarOutputStream jar, String name, byte[] content) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    jar.write(content);
    jar.closeEntry();
  }
}
