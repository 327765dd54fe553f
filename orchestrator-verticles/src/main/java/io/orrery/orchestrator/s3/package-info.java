/**
 * Objects in a bucket of an S3 store, by its REST API and signatures of version 4, without an SDK.
 * Knows nothing of what is stored. Everything here blocks.
 */
@NullMarked
package io.orrery.orchestrator.s3;

import org.jspecify.annotations.NullMarked;
