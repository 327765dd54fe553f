/** The audit log: an entry for every change, written in the commit of that change. */
@NullMarked
package io.orrery.studio.audit;

import org.jspecify.annotations.NullMarked;
