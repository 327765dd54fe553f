/**
 * The router as a whole: {@link io.orrery.router.run.Router} puts it together on a Vert.x of its
 * own, so that nothing that a control plane does delays a request; {@link
 * io.orrery.router.run.RouteProgram} runs it alone.
 */
@NullMarked
package io.orrery.router.run;

import org.jspecify.annotations.NullMarked;
