/**
 * The settings of a project: mounts, node selector and external addresses, each with its grammar.
 * Pure: it reads texts and computes; it does not know whether a claim, a node or a cluster exists.
 */
@NullMarked
package io.orrery.core.project;

import org.jspecify.annotations.NullMarked;
