/** The API of notebooks. It decides who may see, change and enter one; the studio does the rest. */
@NullMarked
package io.orrery.gateway.notebook;

import org.jspecify.annotations.NullMarked;
