/**
 * Shell completion, and the schema of experiment files for editors. Entry types: {@link
 * io.orrery.cli.completion.CompletionCommand} and {@link io.orrery.cli.completion.SchemaCommand}.
 */
@NullMarked
package io.orrery.cli.completion;

import org.jspecify.annotations.NullMarked;
