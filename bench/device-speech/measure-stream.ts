import { measure } from "./figures.ts";
import type { Options } from "./options.ts";
import type { ImportedFile } from "./page-import.ts";
import { recognise } from "./recognition.ts";
import { type Column, describeWordless, formatTable } from "./report.ts";
import { getText, type SpeechStream } from "./streams.ts";
import type { NodeModel, Reference } from "./weights.ts";
import { countWordErrors, listWordErrors } from "./word-errors.ts";

interface Tools {
  model: NodeModel;
  /** Null: the product is compared to nothing. */
  reference: Reference | null;
  /** Imports the stream's file in the page; null: no page is measured. */
  importFile: (() => Promise<ImportedFile>) | null;
}

/** Recognises a stream in the wanted ways, one after the other, and prints and returns its table. */
export async function measureStream(
  stream: SpeechStream,
  { model, reference, importFile }: Tools,
  { modes, slowness, errors }: Pick<Options, "modes" | "slowness" | "errors">,
): Promise<Column[]> {
  const columns: Column[] = [];
  const add = (
    name: string,
    text: string,
    { figures = null, imported = null }: Partial<Pick<Column, "figures" | "imported">> = {},
  ) => {
    const { errors: wordErrors, total: wordCount } = countWordErrors(getText(stream), text);
    columns.push({ name, wordErrors, wordCount, figures, imported });
    if (errors)
      for (const place of [
        ...listWordErrors(getText(stream), text),
        ...(figures?.wordless ?? []).map(describeWordless),
      ])
        console.log(`${stream.name}, ${name}: ${place}`);
  };
  const { samples } = stream;
  if (reference !== null) add("transformers.js", await reference(samples));
  for (const mode of ["import", "live"] as const) {
    if (!modes.includes(mode)) continue;
    const isLive = mode === "live";
    const recognition = await recognise(model, { samples, isLive, slowness });
    const figures = measure(stream, recognition);
    add(slowness === 1 ? mode : `${mode}, computing × ${slowness}`, recognition.text, { figures });
  }
  if (importFile !== null) {
    const imported = await importFile();
    add("import in Chromium", imported.text, { imported });
  }
  console.log(
    `\n${formatTable(`${stream.name}, ${Math.round(samples.length / 16_000)} s`, columns)}`,
  );
  return columns;
}
