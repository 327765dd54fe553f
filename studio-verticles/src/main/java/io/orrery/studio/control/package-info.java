/**
 * The controller of deployments: it carries out rollouts and scaling. One server at a time runs it.
 */
@NullMarked
package io.orrery.studio.control;

import org.jspecify.annotations.NullMarked;
