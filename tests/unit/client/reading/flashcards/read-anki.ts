/**
 * Reads a text file as Anki's manual describes it, for tests.
 *
 * Source: https://docs.ankiweb.net/importing/text-files.html (2026-11-26): headers `#key:value` at the top of the file;
 * other lines that begin with `#` are comments; fields are separated by the separator, and may be in quotation marks, in
 * which line breaks and separators are text and a quotation mark stands twice.
 */
export function readAnki(text: string) {
  const headers: Record<string, string> = {};
  let rest = text;
  for (;;) {
    const [line = "", key, value] = /^#([a-z ]+):(.*)\n/.exec(rest) ?? [];
    if (key === undefined || value === undefined) break;
    headers[key] = value;
    rest = rest.slice(line.length);
  }
  const separator = headers.separator?.toLowerCase() === "tab" ? "\t" : ",";
  const notes: string[][] = [];
  let fields: string[] = [];
  let at = 0;
  const readQuoted = () => {
    let field = "";
    for (at += 1; at < rest.length; at += 1) {
      if (rest[at] !== '"') field += rest[at];
      else if (rest[at + 1] === '"') {
        field += '"';
        at += 1;
      } else break;
    }
    at += 1;
    return field;
  };
  const readPlain = () => {
    const start = at;
    while (at < rest.length && rest[at] !== separator && rest[at] !== "\n") at += 1;
    return rest.slice(start, at);
  };
  while (at < rest.length) {
    if (fields.length === 0 && rest[at] === "#") {
      readPlain();
      at = rest.indexOf("\n", at) + 1 || rest.length;
      continue;
    }
    fields.push(rest[at] === '"' ? readQuoted() : readPlain());
    if (rest[at] === separator) at += 1;
    else {
      notes.push(fields);
      fields = [];
      at += 1;
    }
  }
  return { headers, notes };
}
