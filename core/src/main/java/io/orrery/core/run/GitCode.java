package io.orrery.core.run;

import io.orrery.core.code.CodeRepository;
import org.jspecify.annotations.Nullable;

/**
 * The code of a step that comes from a Git repository.
 *
 * @param commit that was fetched when the run was created; null before
 */
public record GitCode(CodeRepository repository, @Nullable String commit) {}
