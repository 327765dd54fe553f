/** The API of the audit log. */
@NullMarked
package io.orrery.gateway.audit;

import org.jspecify.annotations.NullMarked;
