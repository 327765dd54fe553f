/**
 * The platform {@code dlc}: attempts as jobs of Alibaba Cloud's PAI-DLC, by its REST API of version
 * 2020-12-03 with signed requests. What is not DLC's own is in {@link io.orrery.compute.batch}.
 */
@NullMarked
package io.orrery.compute.dlc;

import org.jspecify.annotations.NullMarked;
