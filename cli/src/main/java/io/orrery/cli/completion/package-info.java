/**
 * What shells and editors need to help with commands and files. Entry types: {@link
 * io.orrery.cli.completion.CompletionCommand} and {@link io.orrery.cli.completion.SchemaCommand}.
 */
@NullMarked
package io.orrery.cli.completion;

import org.jspecify.annotations.NullMarked;
