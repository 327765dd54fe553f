package io.orrery.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Images;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.Registries;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.image.ImageState;
import io.orrery.gateway.ApiSamples.Sample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A request of each operation upon registries and images, and the answers of the studio. */
final class RegistrySamples {
  static final Map<String, Sample> ALL = new LinkedHashMap<>();

  private static final ProjectName VISION = new ProjectName("vision");
  private static final String HUB = "/api/v1/registries/hub";
  private static final String BUILD = "/api/v1/builds/tool";
  private static final String TOOL = "/api/v1/images/0123456789abcdef";

  static {
    ALL.put("listRegistries", new Sample("GET", "/api/v1/registries", ""));
    ALL.put("getRegistry", new Sample("GET", HUB, ""));
    ALL.put(
        "putRegistry",
        new Sample(
            "PUT",
            HUB,
            "{\"project\":\"vision\",\"server\":\"hub.example.com\",\"user\":\"robot\","
                + "\"password\":\"secret:hub\"}"));
    ALL.put("deleteRegistry", new Sample("DELETE", HUB, ""));
    ALL.put("checkRegistry", new Sample("POST", HUB + "/check", "{}"));
    ALL.put("listBuilds", new Sample("GET", "/api/v1/builds?project=vision", ""));
    ALL.put("getBuild", new Sample("GET", BUILD, ""));
    ALL.put(
        "putBuild",
        new Sample(
            "PUT",
            BUILD,
            "{\"project\":\"vision\",\"target\":\"hub.example.com/vision/tool:1\","
                + "\"dockerfile\":\"FROM scratch\"}"));
    ALL.put("deleteBuild", new Sample("DELETE", BUILD, ""));
    ALL.put("getBuildLog", new Sample("GET", BUILD + "/logs", ""));
    ALL.put("startBuild", new Sample("POST", BUILD + "/start", "{}"));
    ALL.put("cancelBuild", new Sample("POST", BUILD + "/cancel", "{}"));
    ALL.put("listImages", new Sample("GET", "/api/v1/images?project=vision", ""));
    ALL.put(
        "addImage",
        new Sample(
            "POST",
            "/api/v1/images",
            "{\"project\":\"vision\",\"name\":\"hub.example.com/vision/tool:1\"}"));
    ALL.put("getImage", new Sample("GET", TOOL, ""));
    ALL.put("deleteImage", new Sample("DELETE", TOOL, ""));
    ALL.put("checkImage", new Sample("POST", TOOL + "/check", "{}"));
  }

  /** The roles that each is allowed to. */
  static final Map<String, Set<String>> ALLOWED = new LinkedHashMap<>();

  static {
    Set<String> inProject = Set.of("admin", "creator", "ops", "owner", "member", "viewer");
    Set<String> all = Set.of("admin", "creator", "ops", "owner", "member", "viewer", "stranger");
    Set<String> changers = Set.of("admin", "creator", "owner");
    Set<String> operators = Set.of("admin", "creator", "ops", "owner");
    ALLOWED.put("listRegistries", all);
    ALLOWED.put("getRegistry", inProject);
    ALLOWED.put("putRegistry", changers);
    ALLOWED.put("deleteRegistry", changers);
    ALLOWED.put("checkRegistry", operators);
    ALLOWED.put("listBuilds", all);
    ALLOWED.put("getBuild", inProject);
    ALLOWED.put("putBuild", changers);
    ALLOWED.put("deleteBuild", changers);
    ALLOWED.put("getBuildLog", inProject);
    ALLOWED.put("startBuild", changers);
    ALLOWED.put("cancelBuild", operators);
    ALLOWED.put("listImages", all);
    ALLOWED.put("addImage", changers);
    ALLOWED.put("getImage", inProject);
    ALLOWED.put("deleteImage", changers);
    ALLOWED.put("checkImage", operators);
  }

  private RegistrySamples() {}

  static void answer(EdgeServer edge) throws Exception {
    var hub =
        new Registries.RegistryAccount(
            "hub", VISION, "ann", "hub.example.com", "robot", "hub", Samples.THEN, Samples.THEN, 1);
    edge.answer(Registries.LIST, new Registries.RegistryList(List.of(hub)));
    edge.answer(Registries.GET, hub);
    edge.answer(Registries.PUT, new Registries.PutRegistryDone(hub, Outcome.CHANGED));
    edge.answer(Registries.DELETE, new People.Done());
    edge.answer(Registries.CHECK, new Registries.RegistryChecked(true, "accepted"));
    var tool =
        new Images.CatalogImage(
            "0123456789abcdef",
            VISION,
            "ann",
            "hub.example.com/vision/tool:1",
            "a tool",
            "sha256:ab",
            ImageState.PRESENT,
            "sha256:ab",
            null,
            Samples.THEN,
            Samples.THEN,
            Samples.THEN,
            1);
    var build =
        new Builds.ImageBuild(
            "tool",
            VISION,
            "ann",
            new BuildSpec(
                "hub.example.com/vision/tool:1", "FROM scratch", null, null, Map.of(), Map.of()),
            2,
            BuildStatus.RUNNING,
            false,
            null,
            "sha256:ab",
            1_000L,
            "ann",
            Samples.THEN,
            Samples.THEN,
            Samples.THEN,
            null,
            3);
    edge.answer(Builds.LIST, new Builds.BuildList(List.of(build)));
    edge.answer(Builds.GET, build);
    edge.answer(Builds.PUT, new Builds.PutBuildDone(build, Outcome.CHANGED));
    edge.answer(Builds.START, build);
    edge.answer(Builds.CANCEL, build);
    edge.answer(Builds.DELETE, new People.Done());
    edge.answer(Builds.READ_LOG, new Trials.LogPiece("built".getBytes(UTF_8), 5, true));
    edge.answer(Images.LIST, new Images.ImageList(List.of(tool)));
    edge.answer(Images.GET, tool);
    edge.answer(Images.ADD, new Images.AddImageDone(tool, Outcome.CHANGED));
    edge.answer(Images.CHECK, tool);
    edge.answer(Images.DELETE, new People.Done());
  }
}
