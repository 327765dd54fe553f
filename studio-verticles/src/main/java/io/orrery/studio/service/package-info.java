/**
 * Services: documents that say what is to be kept running and how it is reached. The studio reads a
 * document, stores it with its revisions, and freezes it into the complete specification of a
 * workload, which the orchestrator keeps running.
 */
@NullMarked
package io.orrery.studio.service;

import org.jspecify.annotations.NullMarked;
