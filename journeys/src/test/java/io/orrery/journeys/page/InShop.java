package io.orrery.journeys.page;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A browser, and a server with experiments to look at, for all tests of a class. */
abstract class InShop {
  /** The addresses of pages that every server has. */
  static final List<String> PAGES =
      List.of(
          "/",
          "/new",
          "/about",
          "/log",
          "/nowhere",
          "/routes",
          "/overview",
          "/services",
          "/pipelines",
          "/usage",
          "/models",
          "/tracking",
          "/tracking/0",
          "/files",
          "/notebooks",
          "/images",
          "/documents/service",
          "/documents/pipeline",
          "/templates",
          "/templates/http",
          "/documents/template",
          "/registration",
          "/apply",
          "/check",
          "/editor",
          "/editor?sample=approve",
          "/projects",
          "/projects/public",
          "/people",
          "/audit",
          "/status",
          "/account");

  /** The tabs of an experiment but the first. */
  static final List<String> TABS =
      List.of("trials", "parameters", "curves", "analysis", "compare", "configuration", "log");

  @TempDir static Path temp;
  static Chromium chromium;
  static Shop shop;

  @BeforeAll
  static void open() throws Exception {
    chromium = Chromium.launch();
    shop = Shop.open(temp);
  }

  @AfterAll
  static void close() {
    if (chromium != null) {
      chromium.close();
    }
    if (shop != null) {
      shop.close();
    }
  }

  @BeforeEach
  void shutTheGate() throws Exception {
    Files.deleteIfExists(shop.code().resolve("gate"));
  }
}
