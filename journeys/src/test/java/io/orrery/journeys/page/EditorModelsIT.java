package io.orrery.journeys.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The modules of the editor that draw nothing: edges, history, places, view, arguments, text. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class EditorModelsIT extends InShop {
  private Visit visit;

  @BeforeEach
  void visit() {
    visit = new Visit(chromium, shop.server().url()).to("/about");
  }

  @AfterEach
  void leave() {
    visit.close();
  }

  @Test
  void anEdgeIsRefusedWithTheWayThatWouldClose() {
    Pure edges = visit.pure("editor/edges.js");
    String tasks =
        "[{name: 'a'}, {name: 'b', after: ['a']}, {name: 'c', command: '{{tasks.b.outputs.x}}'}, {name: 'd'}]";
    edges.gives("refusalOf(%s, 'a', 'd')".formatted(tasks), null);
    edges.gives("refusalOf(%s, 'a', 'a')".formatted(tasks), "a cannot wait for itself.");
    edges.gives("refusalOf(%s, 'a', 'b')".formatted(tasks), "b waits for a already.");
    edges.gives(
        "refusalOf(%s, 'c', 'a')".formatted(tasks),
        "a cannot wait for c: c waits for b, which waits for a, so neither would ever start.");
    edges.gives("[...closedTo(%s, 'c')].sort()".formatted(tasks), List.of("a", "b", "c"));
    edges.gives("[...closedTo(%s, 'a')].sort()".formatted(tasks), List.of("a", "b"));
    edges.gives(
        "edgesOf(%s).map(edge => edge.from + edge.to + edge.isUsed)".formatted(tasks),
        List.of("abfalse", "bctrue"));
  }

  @Test
  void stepsAreTakenBackAndDoneAgainAndLettersOfOneFieldAreOneStep() {
    Pure history = visit.pure("editor/history.js");
    history.gives(
        """
        (() => {
          const it = new History('');
          it.write('a', 'field');
          it.write('ab', 'field');
          it.write('ab!', null);
          const seen = [];
          it.undo(); seen.push(it.text);
          it.undo(); seen.push(it.text, it.canUndo);
          it.redo(); seen.push(it.text, it.canRedo);
          it.write('ax', 'field'); seen.push(it.canRedo);
          it.undo(); seen.push(it.text);
          return seen;
        })()
        """,
        Arrays.asList("ab", "", false, "ab", true, false, "ab"));
    history.gives(
        """
        (() => {
          const it = new History('0');
          for (let n = 1; n <= 500; n++) it.write(String(n));
          let steps = 0;
          while (it.canUndo) { it.undo(); steps++; }
          return [steps, it.text];
        })()
        """,
        List.of(200, "300"));
  }

  @Test
  void tasksStandWhereTheyWerePutAndOthersInLayersBelow() {
    Pure places = visit.pure("editor/places.js");
    places.gives(
        "[...placesOf([{name: 'a'}, {name: 'b', after: ['a']}], undefined).values()]",
        List.of(List.of(0, 0), List.of(248, 0)));
    places.gives(
        "[...placesOf([{name: 'a'}, {name: 'b', after: ['a']}], {a: [30, 40]}).entries()]",
        List.of(List.of("a", List.of(30, 40)), List.of("b", List.of(30, 144))));
    places.gives("freeAt([0, 0], new Map([['a', [10, 10]]]))", List.of(0, 80));
    String four = "new Map([['a', [0, 0]], ['b', [248, 0]], ['c', [248, 80]], ['d', [496, 10]]])";
    places.gives("nearest(%s, 'a', [1, 0])".formatted(four), "b");
    places.gives("nearest(%s, 'b', [0, 1])".formatted(four), "c");
    places.gives("nearest(%s, 'd', [-1, 0])".formatted(four), "b");
    places.gives("nearest(%s, 'a', [-1, 0])".formatted(four), null);
  }

  @Test
  void theViewZoomsAroundAPointAndFitsWhatThereIs() {
    Pure view = visit.pure("editor/view.js");
    view.gives("onPlane(zoomed({x: 10, y: 20, scale: 1}, 2, [50, 60]), [50, 60])", List.of(40, 40));
    view.gives("zoomed({x: 0, y: 0, scale: 1}, 1000, [0, 0]).scale", 2);
    view.gives("fitted(null, {width: 100, height: 100}).scale", 1);
    view.gives(
        "fitted({x: 0, y: 0, width: 1872, height: 100}, {width: 1000, height: 600}).scale", 0.5);
    view.gives(
        "showing({x: 0, y: 0, scale: 1}, {x: 990, y: 40, width: 184, height: 56}, {width: 800, height: 600}).x",
        -406);
  }

  @Test
  void argumentsAreReadInTheirTypes() {
    Pure arguments = visit.pure("editor/arguments.js");
    arguments.gives(
        """
        fieldsOf({'--n': {type: 'int', range: '1,5'}, '--x': {require: 0}, '--y': {default: 1, type: 'int'}})
          .map(field => [field.name, field.isRequired, field.limits])
        """,
        List.of(
            Arrays.asList("--n", true, List.of(1, 5)),
            Arrays.asList("--x", false, null),
            Arrays.asList("--y", false, null)));
    arguments.gives("readText({type: 'int'}, '7')", 7);
    arguments.gives("readText({type: 'int'}, '{{parameters.n}}')", "{{parameters.n}}");
    arguments.gives("readText({type: 'list', itemType: 'int'}, '1, 2 ,x')", List.of(1, 2, "x"));
    arguments.gives("readText({type: 'json'}, '{\"a\": [1]}')", Map.of("a", List.of(1)));
    arguments.gives("readText({type: 'str'}, '  ') === undefined", true);
    arguments.gives("chosenOf('a, b;c')", List.of("a", "b", "c"));
  }

  @Test
  void copiesHaveFreeNamesAndWaitForEachOther() {
    Pure catalogue = visit.pure("editor/catalogue.js");
    assertThat(
            catalogue.value(
                """
                copies([{name: 'a', command: 'x'}, {name: 'b', after: ['a', 'z', 'gone'], command: '{{tasks.a.outputs.r}} {{tasks.z.outputs.r}}'}],
                  new Set(['a', 'b', 'a-2', 'z']))
                """))
        .isEqualTo(
            List.of(
                Map.of("name", "a-3", "command", "x"),
                Map.of(
                    "name",
                    "b-2",
                    "command",
                    "{{tasks.a-3.outputs.r}} {{tasks.z.outputs.r}}",
                    "after",
                    List.of("a-3", "z"))));
    catalogue.gives(
        "found(catalogue([{name: 'sql', title: 'SQL', group: 'Data'}]), 'data sq').map(({items}) => items[0].name)",
        List.of("sql"));
  }

  @Test
  void theTextChangesWhereItMustAndKeepsItsComments() {
    Pure text = visit.pure("editor/yaml-document.js");
    String document =
        "'# head\\nname: p # tail\\ntasks:\\n  # one\\n  - {name: a, command: \"echo\"} # end\\n  - name: b\\n    command: \"{{tasks.a.outputs.x}}\"\\n    after: [a]\\nlayout:\\n  a: [1, 2]\\n'";
    text.gives(
        "renameTask(%s, 'a', 'z')".formatted(document),
        """
        # head
        name: p # tail
        tasks:
          # one
          - {name: z, command: "echo"} # end
          - name: b
            command: "{{tasks.z.outputs.x}}"
            after: [z]
        layout:
          z: [1, 2]
        """);
    text.gives(
        "eraseTasks(%s, ['a'])".formatted(document),
        """
        # head
        name: p # tail
        tasks:
          # one
          - name: b
            command: "{{tasks.a.outputs.x}}"
        """);
    text.gives(
        "setOfTask(setOfTask('tasks:\\n  - {name: a}\\n', 'a', ['retry', 'attempts'], 3), 'a', ['retry', 'attempts'], undefined)",
        "tasks:\n  - {name: a}\n");
    text.gives(
        "setOfTask('tasks:\\n  - {name: a, arguments: {code: 1}}\\n', 'a', ['arguments', 'code'], 'x\\ny\\n')",
        "tasks:\n  - name: a\n    arguments:\n      code: |\n        x\n        y\n");
    text.gives(
        "connect(connect('tasks:\\n  - name: a\\n', 'p', 'a'), 'q', 'a')",
        "tasks:\n  - name: a\n    after: [p, q]\n");
    text.gives(
        "disconnect('tasks:\\n  - name: a\\n    after: [x]\\n', 'x', 'a')",
        "tasks:\n  - name: a\n");
    // As the server reads YAML: 1.1.
    text.gives("parse('a: no').value.a", false);
    text.gives("parse('a: {on: [x], 1: z}').value.a", Map.of("on", List.of("x"), "1", "z"));
    text.gives("set('retry: {on: [x]}\\n', ['a'], 1)", "retry: {on: [x]}\na: 1\n");
    text.gives("parse('a: 2026-11-01T00:00:00Z').value.a", "2026-11-01T00:00:00Z");
    text.gives("set('a: 1\\n', ['title'], 'off')", "a: 1\ntitle: \"off\"\n");
    text.gives(
        "place('a: 1\\n', {x: [1.4, 2], y1: [3, 4]})",
        "a: 1\nlayout:\n  x: [1, 2]\n  y1: [3, 4]\n");
    text.gives(
        "setOfTask('tasks:\\n  - name: a\\n', 'a', ['retry', 'attempts'], 3)",
        "tasks:\n  - name: a\n    retry:\n      attempts: 3\n");
    text.gives("parse('a: [1').errors[0].line", 1);
    text.gives("parse('- 1').errors[0].message", "the document of a pipeline is an object");
  }
}
