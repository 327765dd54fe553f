/**
 * Stores of objects that are reached by HTTP: what they have in common, and Azure Blob Storage.
 * Knows nothing of what is stored. Everything here blocks.
 */
@NullMarked
package io.orrery.orchestrator.objects;

import org.jspecify.annotations.NullMarked;
