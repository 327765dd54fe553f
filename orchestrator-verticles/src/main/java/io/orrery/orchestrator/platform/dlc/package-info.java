/**
 * The platform {@code dlc}: attempts as jobs of Alibaba Cloud's PAI-DLC, by its REST API of version
 * 2020-12-03 with signed requests. What is not DLC's own is in {@link
 * io.orrery.orchestrator.platform.batch}.
 */
@NullMarked
package io.orrery.orchestrator.platform.dlc;

import org.jspecify.annotations.NullMarked;
