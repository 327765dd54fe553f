/**
 * The rules that every HTTP/1.1 server of this product has in common: which heads of requests are
 * refused, and that the connection ends with the refusal (RFC 9112 sections 2.2, 6.3 and 11.2).
 */
@NullMarked
package io.orrery.core.http;

import org.jspecify.annotations.NullMarked;
