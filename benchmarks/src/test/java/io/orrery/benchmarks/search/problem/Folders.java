package io.orrery.benchmarks.search.problem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Folders of problems that are written here: formulas, a table and a net that can be checked by
 * hand.
 */
public final class Folders {
  private Folders() {}

  /** A bowl, a bowl that is noisy, and a function that is unknown. */
  public static Path formulas(Path folder) throws IOException {
    return problems(
        folder,
        """
        {"problems": [
          {"name": "sphere2_shifted", "tags": ["continuous"],
           "search_space": {"x": {"_type": "uniform", "_value": [-5, 5]},
                            "y": {"_type": "uniform", "_value": [-5, 5]}},
           "evaluation": {"kind": "function", "formula": "sum z^2, s=[1, -2]", "files": []},
           "noise_sd": 0.0, "f_star": 0.0, "f_ref": 20.0,
           "check_points": [{"parameters": {"x": 2, "y": 0}, "value": 5.0}]},
          {"name": "noisy_sphere2_shifted", "tags": ["noisy"],
           "search_space": {"x": {"_type": "uniform", "_value": [-5, 5]},
                            "y": {"_type": "uniform", "_value": [-5, 5]}},
           "evaluation": {"kind": "function", "formula": "sum z^2, s=[1, -2]", "files": []},
           "noise_sd": 0.5, "f_star": 0.0, "f_ref": 20.0, "check_points": []},
          {"name": "riddle3", "tags": [],
           "search_space": {"x": {"_type": "uniform", "_value": [0, 1]}},
           "evaluation": {"kind": "function", "formula": "who knows", "files": []},
           "f_star": 0.0, "f_ref": 1.0, "check_points": []}]}
        """);
  }

  /** A table with a grid of its own for each branch, and one with learning curves. */
  public static Path tables(Path folder) throws IOException {
    Files.writeString(
        folder.resolve("branches.json"),
        """
        {"rows": [["flat", {"c": 1.0}, 0.9, 1], ["flat", {"c": 100.0}, 0.8, 1],
                  ["deep", {"c": 1.0, "g": 0.1}, 0.5, 1], ["deep", {"c": 1.0, "g": 10.0}, 0.4, 1],
                  ["deep", {"c": 100.0, "g": 0.1}, 0.3, 1],
                  ["deep", {"c": 100.0, "g": 10.0}, 0.2, 1]]}
        """);
    Files.writeString(
        folder.resolve("curves.json"),
        """
        {"grid": {"units": [8, 16], "kind": ["a", "b"], "solver": ["only"]},
         "rows": [[[8, "a", "only"], [3, 2, 1], 1], [[16, "a", "only"], [6, 5, 4], 1],
                  [[8, "b", "only"], [9, 8, 7], 1], [[16, "b", "only"], [12, 11, 10], 1]]}
        """);
    return problems(
        folder,
        """
        {"problems": [
          {"name": "branches", "tags": ["real"],
           "search_space": {"c": {"_type": "loguniform", "_value": [1, 100]},
             "kind": {"_type": "choice", "_value": [{"_name": "flat"},
               {"_name": "deep", "g": {"_type": "loguniform", "_value": [0.1, 10]}}]}},
           "evaluation": {"kind": "table", "formula": "snap", "files": ["branches.json"]},
           "f_star": 0.2, "f_ref": 0.8,
           "check_points": [
             {"parameters": {"c": 10.0, "kind": {"_name": "flat"}}, "value": 0.9},
             {"parameters": {"c": 11.0, "kind": {"_name": "deep", "g": 0.9}}, "value": 0.3}]},
          {"name": "curves", "tags": [],
           "search_space": {"units": {"_type": "uniform", "_value": [8, 16]},
                            "kind": {"_type": "choice", "_value": ["a", "b"]}},
           "evaluation": {"kind": "table", "formula": "snap", "files": ["curves.json"]},
           "curve_length": 3, "f_star": 1, "f_ref": 7,
           "check_points": [{"parameters": {"units": 12.1, "kind": "a"}, "value": 4,
                             "curve": [6, 5, 4]}]}]}
        """);
  }

  /**
   * A net without blocks: y = bias + 2 max(h, 0) with h = 1 + the input's own and the category's
   * number, after a batch norm that changes nothing.
   */
  public static Path net(Path folder) throws IOException {
    float[] weights = {
      // instance, two categories and none
      1,
      0,
      2,
      5,
      // first layer: weight of instance, category, epoch; bias
      1,
      1,
      1,
      0,
      // batch norm: weight, bias, mean, variance; head: weight, bias
      1,
      0,
      0,
      1,
      2,
      0
    };
    ByteBuffer bytes = ByteBuffer.allocate(4 * weights.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float weight : weights) {
      bytes.putFloat(weight);
    }
    Files.write(folder.resolve("net.bin"), bytes.array());
    Files.writeString(
        folder.resolve("net.json"),
        """
        {"blocks": 0, "bn_eps": 0.0, "instances": ["i7"], "cat_order": ["inner.kind"],
         "categories": {"inner.kind": ["#na#", "two", "five"]}, "cont_order": ["epoch"],
         "pre": {"epoch": [["mul", 3]]},
         "targets": {"val_acc": {"row": 0, "ops": [["add", 1]]}},
         "tensors": {
           "instance_embedding.i7": {"shape": [1], "offset": 0},
           "embedding.inner.kind": {"shape": [3, 1], "offset": 1},
           "first.weight": {"shape": [1, 3], "offset": 4}, "first.bias": {"shape": [1], "offset": 7},
           "head.bn.weight": {"shape": [1], "offset": 8}, "head.bn.bias": {"shape": [1], "offset": 9},
           "head.bn.mean": {"shape": [1], "offset": 10}, "head.bn.var": {"shape": [1], "offset": 11},
           "head.linear.weight": {"shape": [1, 1], "offset": 12},
           "head.linear.bias": {"shape": [1], "offset": 13}}}
        """);
    return problems(
        folder,
        """
        {"problems": [
          {"name": "net", "tags": ["surrogate"],
           "search_space": {"kind": {"_type": "choice", "_value": ["two", "five"]}},
           "evaluation": {"kind": "surrogate", "files": ["net.json", "net.bin"],
             "formula": "100 - val acc predicted by the net, instance i7, epoch=2"},
           "curve_length": 2, "f_star": 75, "f_ref": 80,
           "check_points": [{"parameters": {"kind": "two"}, "value": 81.0, "curve": [87, 81]}]}]}
        """);
  }

  private static Path problems(Path folder, String json) throws IOException {
    Files.writeString(folder.resolve("problems.json"), json);
    return folder;
  }
}
