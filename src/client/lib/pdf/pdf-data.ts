/** Files of pdf.js by their names, which workers fetch. Not as data: the policy for content forbids reading that. */
const characterCodes = import.meta.glob<string>(
  "../../../../node_modules/pdfjs-dist/cmaps/*.bcmap",
  { query: "?url&no-inline", import: "default", eager: true },
);

/** Adobe's character codes, which older PDF files in Chinese, Japanese and Korean need. */
export const loadCharacterCodes = (name: string): Promise<Uint8Array> =>
  fetchData(characterCodes, name);

export async function fetchData(
  addresses: Record<string, string>,
  name: string,
): Promise<Uint8Array> {
  const path = Object.keys(addresses).find((one) => one.endsWith(`/${name}`));
  const answer = await fetch(addresses[path ?? ""] ?? "");
  if (path === undefined || !answer.ok) throw new Error(`No file ${name}`);
  return new Uint8Array(await answer.arrayBuffer());
}
