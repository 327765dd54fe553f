package io.orrery.orchestrator.s3;

import io.orrery.orchestrator.s3.S3Bucket.Listed;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the list of objects that a store answers, as far as names of digests are in it. Pure. */
final class S3Listing {
  private static final Pattern OBJECT =
      Pattern.compile("<Contents>(.*?)</Contents>", Pattern.DOTALL);
  private static final Pattern KEY = Pattern.compile("<Key>([^<&]{1,1024})</Key>");
  private static final Pattern TIME = Pattern.compile("<LastModified>([^<]{1,40})</LastModified>");

  private S3Listing() {}

  /** The objects below a prefix; a name that XML escapes is none of ours and left out. */
  static List<Listed> read(String xml, String prefix) throws IOException {
    List<Listed> all = new ArrayList<>();
    Matcher objects = OBJECT.matcher(xml);
    while (objects.find()) {
      Matcher key = KEY.matcher(objects.group(1));
      Matcher time = TIME.matcher(objects.group(1));
      if (key.find() && time.find() && key.group(1).startsWith(prefix)) {
        try {
          all.add(
              new Listed(key.group(1).substring(prefix.length()), Instant.parse(time.group(1))));
        } catch (DateTimeException e) {
          throw new IOException("the S3 store gives a time that is none: " + time.group(1), e);
        }
      }
    }
    return all;
  }
}
