import arabic from "@fontsource/ibm-plex-sans-arabic/unicode.json";
import emoji from "@fontsource/noto-emoji/unicode.json";
import latin from "@fontsource/noto-sans/unicode.json";
import japanese from "@fontsource/noto-sans-jp/unicode.json";
import korean from "@fontsource/noto-sans-kr/unicode.json";
import math from "@fontsource/noto-sans-math/unicode.json";
import simplified from "@fontsource/noto-sans-sc/unicode.json";
import traditional from "@fontsource/noto-sans-tc/unicode.json";
import { type FontSource, fileOfSlice, slicesOf } from "./font-catalogue.ts";

/** Addresses of the fonts that are served with the product. WOFF, which needs no decoder of its own size. */
const addresses = import.meta.glob<string>(
  [
    "/node_modules/@fontsource/noto-sans/files/noto-sans-*-400-normal.woff",
    "/node_modules/@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-400-normal.woff",
    "/node_modules/@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff",
    "/node_modules/@fontsource/noto-sans-{sc,tc,jp,kr}/files/noto-sans-*-[0-9]*-400-normal.woff",
    "/node_modules/@fontsource/noto-emoji/files/noto-emoji-[0-9]*-400-normal.woff",
  ],
  { query: "?url&no-inline", import: "default", eager: true },
);

const byFile = new Map(
  Object.entries(addresses).map(([path, address]) => [
    path.slice(path.lastIndexOf("/") + 1),
    address,
  ]),
);

/** The fonts that the product serves, each fetched when its characters are in a text. */
export const servedFonts: FontSource = {
  slices: [
    ...slicesOf("noto-sans", latin),
    ...slicesOf("ibm-plex-sans-arabic", arabic),
    ...slicesOf("noto-sans-sc", simplified),
    ...slicesOf("noto-sans-tc", traditional),
    ...slicesOf("noto-sans-jp", japanese),
    ...slicesOf("noto-sans-kr", korean),
    ...slicesOf("noto-sans-math", math),
    ...slicesOf("noto-emoji", emoji),
  ],
  async load(slice) {
    const file = fileOfSlice(slice);
    const address = byFile.get(file);
    if (address === undefined) throw new Error(`No font file ${file}`);
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`Font ${file}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  },
};
