/**
 * The user's code on its way to trials elsewhere: which files of a directory go along ({@code
 * .nniignore}), whether they are within the limits, and how they are packed and kept, each content
 * once. Entry type: {@link io.orrery.orchestrator.code.CodeStore}. Blocks; not for event loops.
 */
@NullMarked
package io.orrery.orchestrator.code;

import org.jspecify.annotations.NullMarked;
