/**
 * The platform {@code openpai}: attempts as jobs of an OpenPAI cluster, by its REST API and its job
 * protocol version 2. What is not OpenPAI's own is in {@link io.orrery.compute.batch}.
 */
@NullMarked
package io.orrery.compute.openpai;

import org.jspecify.annotations.NullMarked;
