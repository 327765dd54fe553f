/**
 * The platform {@code aml}: attempts as command jobs of an Azure Machine Learning workspace, by the
 * REST API of Azure Resource Manager. What is not Azure's own is in {@link
 * io.orrery.compute.batch}.
 */
@NullMarked
package io.orrery.compute.aml;

import org.jspecify.annotations.NullMarked;
