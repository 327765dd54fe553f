package io.orrery.core.style;

/** A rule of the style page, with the name that a finding shows. */
enum Rule {
  TYPE_DOC(
      "type-doc", "begin with \"A/An/The <noun> that ...\" or with a verb, as in \"Reads ...\""),
  LOG_LINE("log-line", "write \"could not <verb> <object> <id>: <cause>\", in lower case"),
  BANNED_WORD("banned-word", "name the class or person that acts, in the field's words"),
  TYPE_NAME("type-name", "name the type with the word that an engineer would search for"),
  NAME_TWICE("name-twice", "give each top-level type a simple name of its own"),
  FILE_LENGTH(
      "file-length",
      "split the file: at most "
          + TextRules.MAX_LINES
          + " lines, one idea; main code may have "
          + TextRules.MAX_LINES_WITH_REASON
          + " whose type doc says \"longer than "
          + TextRules.MAX_LINES
          + " lines, because ...\""),
  DOC_WIDTH("doc-width", "wrap the line: at most " + TextRules.MAX_COLUMNS + " columns");

  private final String id;
  private final String advice;

  Rule(String id, String advice) {
    this.id = id;
    this.advice = advice;
  }

  String id() {
    return id;
  }

  /** A sentence that says what would be right. */
  String advice() {
    return advice;
  }
}
