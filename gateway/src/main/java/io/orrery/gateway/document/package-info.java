/** Reads documents of objects from requests, with the lines that findings are told with. */
@NullMarked
package io.orrery.gateway.document;

import org.jspecify.annotations.NullMarked;
