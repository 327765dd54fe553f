package io.orrery.gateway.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.orrery.core.digest.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of the page, with their digest and content security policy.
 *
 * <p>Their address contains a digest of all of them together, so that a browser may keep each for
 * ever and still never mixes two versions: a new build has new addresses, and {@code index.html},
 * which alone is asked for each time, names them.
 *
 * <p>The policy for what the page may load allows one inline script by its hash, the import map:
 * browsers read it from nowhere else.
 *
 * @param files by their path below {@code ui/}, without {@code index.html}
 * @param index the page itself
 * @param digest of all files
 * @param policy the Content-Security-Policy of the page
 */
record PageFiles(Map<String, Asset> files, Asset index, String digest, String policy) {
  private static final String FOLDER = "ui/";
  private static final String INDEX = "index.html";
  private static final String PLAIN_STYLE = "style/plain.css";
  private static final String THEME = "shell/early-theme.js";
  private static final List<String> JOINED = List.of("style/page.css", PLAIN_STYLE);
  static final Pattern IMPORT_MAP =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

  PageFiles {
    files = Map.copyOf(files);
  }

  /** Reads them from the class path. Blocks. */
  static PageFiles read() throws IOException {
    Map<String, byte[]> contents = contents();
    for (String sheet : JOINED) {
      contents.put(sheet, StyleSheets.joined(contents, sheet));
    }
    String digest = HexFormat.of().formatHex(sha256(contents), 0, 8);
    String assets = "assets/" + digest;
    String index = new String(contents.get(INDEX), UTF_8).replace("{{assets}}", assets);
    Preloads preloads = Preloads.of(index, assets, contents);
    index = index.replace("{{modules}}", preloads.links()).replace("{{views}}", preloads.views());
    Map<String, Asset> files = new TreeMap<>();
    contents.forEach((name, bytes) -> files.put(name, Asset.of(name, bytes)));
    files.remove(INDEX);
    return new PageFiles(files, Asset.of(INDEX, index.getBytes(UTF_8)), digest, policy(index));
  }

  /** The style sheet of the pages without a script. */
  Asset plainStyle() {
    return file(PLAIN_STYLE);
  }

  /** The script that sets the theme before the first paint. */
  Asset theme() {
    return file(THEME);
  }

  private Asset file(String path) {
    return Objects.requireNonNull(files.get(path), path);
  }

  private static String policy(String index) {
    Matcher map = IMPORT_MAP.matcher(index);
    if (!map.find()) {
      throw new IllegalStateException("ui/index.html has no import map");
    }
    String hash =
        Base64.getEncoder().encodeToString(sha256(Map.of("", map.group(1).getBytes(UTF_8))));
    return String.join(
        "; ",
        "default-src 'none'",
        "script-src 'self' 'sha256-" + hash + "'",
        "style-src 'self'",
        // The page shows images of the person's files, which it has fetched.
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        // HTML that a step has made, which is sent with a policy of its own.
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'");
  }

  private static byte[] sha256(Map<String, byte[]> contents) {
    MessageDigest digest = Sha256.begin();
    contents.forEach((name, bytes) -> {
      digest.update(name.getBytes(UTF_8));
      digest.update(bytes);
    });
    return digest.digest();
  }

  private static Map<String, byte[]> contents() throws IOException {
    URL index = PageFiles.class.getClassLoader().getResource(FOLDER + INDEX);
    if (index == null) {
      throw new IOException("the page is not on the class path");
    }
    return index.openConnection() instanceof JarURLConnection inside
        ? packed(inside)
        : unpacked(Path.of(uri(index)).resolveSibling(""));
  }

  private static Map<String, byte[]> packed(JarURLConnection connection) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    // Not the shared one, which the class loader reads from.
    connection.setUseCaches(false);
    try (JarFile jar = connection.getJarFile()) {
      for (JarEntry entry : jar.stream().toList()) {
        if (entry.getName().startsWith(FOLDER) && !entry.isDirectory()) {
          try (InputStream in = jar.getInputStream(entry)) {
            contents.put(entry.getName().substring(FOLDER.length()), in.readAllBytes());
          }
        }
      }
    }
    return contents;
  }

  private static Map<String, byte[]> unpacked(Path folder) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        contents.put(
            folder.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
      }
    }
    return contents;
  }

  private static URI uri(URL url) {
    try {
      return url.toURI();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a class path with the address " + url, e);
    }
  }
}
