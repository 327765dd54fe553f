/**
 * The discovery of our experiments by NNI's own tools. They know one by its port ({@link
 * io.orrery.gateway.discovery.ExperimentPorts}), and all of them by the index file in their user's
 * home, where each has a process that lives as long as it does, and a folder with what they look up
 * in files ({@link io.orrery.gateway.discovery.ExperimentIndex}).
 */
@NullMarked
package io.orrery.gateway.discovery;

import org.jspecify.annotations.NullMarked;
