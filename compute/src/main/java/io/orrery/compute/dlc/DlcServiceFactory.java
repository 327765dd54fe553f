package io.orrery.compute.dlc;

import io.orrery.compute.batch.BatchService;
import io.orrery.compute.batch.BatchServiceFactory;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.section.ServiceSection;

/** Opens the platform {@code dlc}. */
public final class DlcServiceFactory implements BatchServiceFactory {
  @Override
  public String platform() {
    return "dlc";
  }

  @Override
  public ServiceSection section() {
    return new DlcSection();
  }

  @Override
  public String summary() {
    return "Jobs of Alibaba Cloud's PAI-DLC.";
  }

  @Override
  public BatchService.Apis apis(Surroundings surroundings) {
    SecretBox secrets =
        new SecretBox(surroundings.home().toAbsolutePath().normalize(), System.getenv());
    return (job, rest) ->
        new DlcApi(
            DlcSettings.of(job),
            secrets,
            rest,
            surroundings.clock()::now,
            surroundings.access().serverUrl());
  }
}
