package io.orrery.orchestrator.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Finds the images that are pulled before a build. */
class BaseImagesTest {
  @Test
  void imagesAreThoseThatAreNoStage() {
    String dockerfile =
        """
        # syntax=docker/dockerfile:1
        ARG VERSION=1
        ARG HUB="hub.example.com"
        FROM --platform=linux/amd64 ${HUB}/base:$VERSION AS build
        RUN --mount=type=bind,from=hub.example.com/tools:2,target=/t \\
            make
        FROM build AS test
        FROM scratch
        COPY --from=build /a /a
        COPY --chown=1:1 --from=busybox:1.36 /b /b
        COPY --from=0 /c /c
        FROM ${MISSING:-alpine:3}
        """;

    assertThat(BaseImages.of(dockerfile, Map.of("VERSION", "7", "OTHER", "x")))
        .containsExactly(
            "hub.example.com/base:7", "hub.example.com/tools:2", "busybox:1.36", "alpine:3");
  }
}
