package io.orrery.journeys.page;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The browser that the machine has; tests are skipped where it has none. */
final class Chromium implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  private final Playwright playwright;
  private final Browser browser;

  private Chromium(Playwright playwright, Browser browser) {
    this.playwright = playwright;
    this.browser = browser;
  }

  static Chromium launch() {
    Optional<Path> program = find();
    Assumptions.assumeTrue(
        program.isPresent(),
        "no Chromium on the PATH, so the page is not tested (Debian and Ubuntu: apt install chromium)");
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    Playwright playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
    Browser browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(program.get())
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-quic",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync",
                            "--no-first-run")));
    return new Chromium(playwright, browser);
  }

  Browser browser() {
    return browser;
  }

  private static Optional<Path> find() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(Arrays.stream(path.split(File.pathSeparator)), Stream.of("/usr/bin"))
        .filter(folder -> !folder.isEmpty())
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
