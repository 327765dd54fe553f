package io.orrery.studio.service;

import io.orrery.core.project.ExternalAddress;
import io.orrery.core.route.PortRange;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of clusters that services take: the numbers and addresses under which they are
 * reached besides their hosts, and the images of those that name none.
 *
 * @param ports the numbers that are given
 * @param addresses by cluster, for projects without {@code SERVICE_EXTERNAL_IP}
 * @param images by cluster, for documents without an image
 */
public record ServiceNetwork(
    PortRange ports, Map<String, List<ExternalAddress>> addresses, Map<String, String> images) {
  public static final ServiceNetwork STANDARD =
      new ServiceNetwork(PortRange.STANDARD, Map.of(), Map.of());

  public ServiceNetwork {
    addresses = Map.copyOf(addresses);
    images = Map.copyOf(images);
  }

  /** The image of documents without one on a cluster; null for none. */
  @Nullable String image(String cluster) {
    return images.get(cluster);
  }
}
