package io.orrery.compute.openpai;

import io.orrery.compute.batch.BatchService;
import io.orrery.compute.batch.BatchServiceFactory;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.section.ServiceSection;

/** Opens the platform {@code openpai}. */
public final class OpenPaiServiceFactory implements BatchServiceFactory {
  @Override
  public String platform() {
    return "openpai";
  }

  @Override
  public ServiceSection section() {
    return new OpenPaiSection();
  }

  @Override
  public String summary() {
    return "Jobs of an OpenPAI cluster.";
  }

  /** They are among the secrets of the job, which OpenPAI does not store with its description. */
  @Override
  public boolean hidesVariables() {
    return true;
  }

  @Override
  public BatchService.Apis apis(Surroundings surroundings) {
    OpenPaiLogin.Logins desk =
        new OpenPaiLogin.Logins(
            new SecretBox(surroundings.home().toAbsolutePath().normalize(), System.getenv()));
    return (job, rest) -> {
      OpenPaiSettings settings = OpenPaiSettings.of(job);
      return new OpenPaiApi(
          settings, desk.of(settings.account()), rest, surroundings.access().serverUrl());
    };
  }
}
