/** Uploads and downloads of files that are kept by content. */
@NullMarked
package io.orrery.gateway.artifact;

import org.jspecify.annotations.NullMarked;
