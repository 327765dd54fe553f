package io.orrery.gateway.people;

import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.http.Api;
import java.util.List;

/** The routes of people and their tokens. */
public final class PeopleFeature {
  private PeopleFeature() {}

  /** Its groups of routes. */
  public static List<Api> apis(EdgeParts edge) {
    return List.of(
        new PeopleApi(edge.bus(), edge.bodies(), edge.random()),
        new PersonalTokenApi(edge.bus(), edge.bodies(), edge.clock(), edge.random()));
  }
}
