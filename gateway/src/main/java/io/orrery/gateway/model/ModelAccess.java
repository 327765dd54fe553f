package io.orrery.gateway.model;

import io.orrery.core.access.Need;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Models.Model;
import io.orrery.core.bus.contract.Models.Version;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.auth.Callers;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** Finds models and versions upon which a caller may do something. */
public final class ModelAccess {
  private final Bus bus;

  public ModelAccess(Bus bus) {
    this.bus = bus;
  }

  /** The model of a name; fails with NotFound, also where it is hidden, or Forbidden. */
  public Future<Model> model(RoutingContext context, ModelName name, Need need) {
    return bus.request(Models.GET, new Models.GetModel(name))
        .map(model -> {
          Callers.require(
              Callers.of(context),
              need,
              new ResourceOwner(model.project(), model.owner()),
              "model '" + name + "'");
          return model;
        });
  }

  /** The version of a name; fails as {@link #model} does. */
  public Future<Version> version(
      RoutingContext context, ModelName model, VersionName version, Need need) {
    return model(context, model, Need.READ)
        .compose(seen -> bus.request(Models.VERSION, new Models.GetVersion(model, version)))
        .map(found -> {
          Callers.require(
              Callers.of(context),
              need,
              new ResourceOwner(found.project(), found.owner()),
              "version %s of model '%s'".formatted(version, model));
          return found;
        });
  }

  /** The name in the path; what can be no name exists not. */
  public static ModelName name(RoutingContext context) {
    String text = context.pathParam("model");
    if (!ModelName.valid(text)) {
      throw new Problem.NotFound("There is no model '" + text + "'.").toException();
    }
    return new ModelName(text);
  }

  /** The version in the path; what can be no version exists not. */
  public static VersionName versionName(RoutingContext context) {
    String text = context.pathParam("version");
    if (!VersionName.valid(text)) {
      throw new Problem.NotFound("Model '%s' has no version '%s'.".formatted(name(context), text))
          .toException();
    }
    return new VersionName(text);
  }

  static ModelAlias alias(RoutingContext context) {
    String text = context.pathParam("alias");
    if (!ModelAlias.valid(text)) {
      throw new Problem.Refused(new Finding("", "'" + text + "' is no alias: " + ModelAlias.RULE))
          .toException();
    }
    return new ModelAlias(text);
  }
}
