/** The verbs about notebooks. They call the REST API and nothing else. */
@NullMarked
package io.orrery.cli.notebook;

import org.jspecify.annotations.NullMarked;
