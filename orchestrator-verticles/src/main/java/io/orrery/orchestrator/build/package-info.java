/**
 * Builds of images: each is a process of this machine that runs buildah without privileges and goes
 * on when the server is away. It keeps no document; the studio has them and is told what became of
 * each start.
 */
@NullMarked
package io.orrery.orchestrator.build;

import org.jspecify.annotations.NullMarked;
