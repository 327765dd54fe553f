package io.orrery.journeys.page;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The functions behind the pages of services and pipelines. */
@Timeout(120)
class PlatformModelsIT extends OwnServer {
  @Test
  void versionsOfAModelAreOneRowUntilTheOthersAreAskedForAndThoseInTroubleStandAlone() {
    try (Visit visit = visit("/")) {
      Pure status = visit.pure("services/service-status.js");
      String one =
          "{name: '%s', changedAt: '2026-01-0%dT00:00:00Z', state: {status: '%s'}, model: %s}";
      String digits = "{name: 'digits'}";
      String all =
          String.join(
              ",",
              one.formatted("digits-1", 1, "OFFLINE", digits),
              one.formatted("digits-2", 2, "READY", digits),
              one.formatted("digits-3", 3, "FAILED", digits),
              one.formatted("digits-4", 4, "OFFLINE", digits),
              one.formatted("digits-5", 1, "READY", digits),
              one.formatted("hello", 1, "READY", "null"),
              one.formatted("faces-1", 1, "OFFLINE", "{name: 'faces'}"));
      status.gives(
          "foldedByModel(["
              + all
              + "]).map(({service, others}) =>"
              + " [service.name, ...others.map(other => other.name)].join(' ')).join()",
          "digits-2 digits-1 digits-4 digits-5,digits-3,hello,faces-1");
    }
  }

  @Test
  void aRolloutThatIsDoneCanBeRolledBackAndNothingElse() {
    try (Visit visit = visit("/")) {
      Pure commands = visit.pure("services/rollout-commands.js");
      String shown = "String(rolloutCommands({state: '%s', candidate: 'b'}, {}, '').strings)";
      String named = "['pause', 'promote', 'abort'].filter(one => " + shown + ".includes(one))";
      commands.gives(named.formatted("DONE"), List.of("abort"));
      commands.gives("typeof rolloutCommands({state: 'IDLE'}, {}, '')", "symbol");
    }
  }

  @Test
  void layersOfAGraphAndDifferencesOfTextsAreFound() {
    try (Visit visit = visit("/")) {
      Pure graph = visit.pure("pipelines/graph.js");
      String tasks =
          "[{name: 'd', after: ['b', 'c']}, {name: 'a'}, {name: 'b', after: ['a']},"
              + " {name: 'c', inputs: {x: '{{tasks.a.outputs.y}}'}}]";
      graph.gives("layout(" + tasks + ").layers", 3);
      graph.gives("layout(" + tasks + ").nodes.find(n => n.name === 'd').layer", 2);
      graph.gives("layout(" + tasks + ").nodes.find(n => n.name === 'a').place", 0.5);
      graph.gives("layout(" + tasks + ").edges.length", 4);
      String many =
          "Array.from({length: 500}, (_, i) =>"
              + " ({name: 't' + i, after: i ? ['t' + ((i - 1) >> 1), 't' + (i >> 2)] : []}))";
      graph.gives(
          "new Set(layout(" + many + ").nodes.map(n => n.layer + '/' + n.place)).size", 500);
      graph.gives(
          "(({nodes, edges}) => edges.every(({from, to}) => nodes.find(n => n.name === from).layer"
              + " < nodes.find(n => n.name === to).layer))(layout("
              + many
              + "))",
          true);
      graph.gives("layout([{name: 'a', after: ['b']}, {name: 'b', after: ['a']}]).nodes.length", 2);
      Pure text = visit.pure("documents/differences.js");
      text.gives(
          "differences('a\\nb\\nc\\n', 'a\\nc\\nd\\n').map(d => d.side + d.line).join()", "-b,+d");
      text.gives("differences('a\\n', 'a').length", 0);
      Pure name = visit.pure("documents/name-in.js");
      name.gives("nameIn('kind: Service\\nname: \"x y\"\\n')", "x y");
      name.gives("nameIn('{\"kind\": \"Service\", \"name\": \"z\"}')", "z");
      name.gives("nameIn('env: {name: no}\\n')", null);
    }
  }
}
