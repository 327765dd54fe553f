package io.orrery.gateway;

import io.orrery.core.access.ProjectName;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.ModelStage;
import io.orrery.core.model.VersionName;
import io.orrery.gateway.ApiSamples.Sample;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request for each operation about models and artifacts, and a module that answers each. */
final class ModelSamples {
  static final Map<String, Sample> ALL = new LinkedHashMap<>();

  private static final String MODELS = "/api/v1/models";
  private static final String DIGITS = MODELS + "/digits";
  private static final String VERSION = DIGITS + "/versions/1";
  private static final String DIGEST = "ab".repeat(32);

  static {
    sample("listModels", "GET", MODELS + "?project=vision", "");
    sample("createModel", "POST", MODELS, "{\"name\":\"new\",\"project\":\"vision\"}");
    sample("getModel", "GET", DIGITS, "");
    sample("putModel", "PUT", DIGITS, "{\"project\":\"vision\",\"description\":\"Digits\"}");
    sample("deleteModel", "DELETE", DIGITS, "");
    sample("listModelVersions", "GET", DIGITS + "/versions", "");
    sample(
        "deployModelVersion",
        "POST",
        VERSION + "/deploy?dryRun=true&project=vision",
        "{\"stage\":\"test\",\"service\":{\"command\":\"true\",\"ports\":[8080]}}");
    sample("registerModelVersion", "POST", DIGITS + "/versions", "{\"path\":\"s3://m/digits\"}");
    sample("getModelVersion", "GET", VERSION, "");
    sample("changeModelVersion", "PATCH", VERSION, "{\"stage\":\"archived\"}");
    sample("deleteModelVersion", "DELETE", VERSION, "");
    sample("listModelFiles", "GET", VERSION + "/files", "");
    sample("readModelFile", "GET", VERSION + "/file?path=model.onnx", "");
    sample("setModelAlias", "PUT", DIGITS + "/aliases/production", "{\"version\":\"1\"}");
    sample("dropModelAlias", "DELETE", DIGITS + "/aliases/production", "");
    sample("findArtifact", "GET", "/api/v1/artifacts/" + DIGEST, "");
    sample("uploadArtifact", "PUT", "/api/v1/artifacts/" + DIGEST, "x");
    ALL.putAll(WorkspaceSamples.ALL);
  }

  private ModelSamples() {}

  private static void sample(String operation, String method, String path, String body) {
    ALL.put(operation, new Sample(method, path, body));
  }

  static void answer(EdgeServer edge) throws Exception {
    WorkspaceSamples.answer(edge);
    ProjectName vision = new ProjectName("vision");
    ModelName digits = new ModelName("digits");
    VersionName one = new VersionName("1");
    ModelAlias production = new ModelAlias("production");
    var model =
        new Models.Model(
            digits,
            vision,
            "ann",
            "Reads digits",
            Map.of("team", "vision"),
            Map.of(production, one),
            one,
            Samples.THEN,
            Samples.THEN,
            3);
    var version =
        new Models.Version(
            digits,
            one,
            1,
            vision,
            "ann",
            "ab",
            new Models.Content(null, DIGEST, 1, 1),
            new Models.About(
                ModelStage.PRODUCTION,
                "",
                "onnx",
                "{\"default\":0.9}",
                "{\"experiment\":\"digits01\",\"trial\":\"abcde\"}",
                Map.of()),
            List.of(production),
            Samples.THEN,
            Samples.THEN,
            1);
    edge.answer(Models.LIST, new Models.ModelPage(List.of(model), null));
    edge.answer(Models.GET, model);
    edge.answer(Models.PUT, model);
    edge.answer(Models.DELETE, new People.Done());
    edge.answer(Models.VERSIONS, new Models.VersionPage(List.of(version), null));
    edge.answer(Models.VERSION, version);
    edge.answer(Models.REGISTER, version);
    edge.answer(Models.CHANGE_VERSION, version);
    edge.answer(Models.DELETE_VERSION, new People.Done());
    edge.answer(Models.SET_ALIAS, model);
    edge.answer(Models.DROP_ALIAS, model);
    edge.answer(Models.RENAME, model);
    edge.answer(
        Models.RESOLVE,
        new Models.Resolved(digits, one, vision, "ann", version.id(), version.content()));
    edge.answer(Artifacts.FIND, new Artifacts.Stored(DIGEST, 1));
    edge.answer(Artifacts.ADD_PART, new People.Done());
    edge.answer(Artifacts.COMMIT, new Artifacts.Stored(DIGEST, 1));
    edge.answer(
        Artifacts.LIST, new Artifacts.Files(List.of(new ArtifactFile("model.onnx", DIGEST, 1))));
    edge.answer(Artifacts.READ, new TrialKeepers.Piece("x".getBytes(StandardCharsets.UTF_8), 1, 1));
  }
}
