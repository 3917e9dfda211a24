import { Face } from "./face.ts";
import { Catalogue, type FontSource, type Slice } from "./font-catalogue.ts";
import { fromWoff } from "./woff.ts";

/** A text and the language it is in (BCP 47). */
export interface Passage {
  text: string;
  tag: string;
}

/** Characters that are never drawn where a font has nothing for them. */
const unseen = /\p{Default_Ignorable_Code_Point}/u;
/** Characters that belong to the one before them. */
const attached = /\p{M}|\u200c|\u200d/u;
/** Characters that take part in every script: a font that has letters for one has them too, mostly. */
const common = /[\p{Zs}\p{P}\p{Nd}]/u;

const open = async (source: FontSource, slice: Slice) =>
  new Face(slice, await fromWoff(await source.load(slice)));

/** The fonts of one document: opened, for each character of each of its languages. */
export class FontSet {
  readonly #source: FontSource;
  readonly #catalogue: Catalogue;
  readonly #faces = new Map<Slice, Face>();
  readonly #chosen = new Map<string, Face | null>();
  readonly #fallback: Face;

  private constructor(source: FontSource, catalogue: Catalogue, fallback: Face) {
    this.#source = source;
    this.#catalogue = catalogue;
    this.#fallback = fallback;
  }

  /** Opens what `passages` need, and no more. */
  static async of(source: FontSource, passages: readonly Passage[]): Promise<FontSet> {
    const catalogue = new Catalogue(source.slices, new Set(passages.map(({ tag }) => tag)));
    const [basic] = catalogue.candidates(0x20, "en");
    if (!basic) throw new Error("No font for Latin letters");
    const fallback = await open(source, basic);
    const fonts = new FontSet(source, catalogue, fallback);
    fonts.#faces.set(basic, fallback);
    await fonts.#resolve(passages);
    return fonts;
  }

  async #resolve(passages: readonly Passage[]): Promise<void> {
    const asked = new Map<string, { point: number; slices: Slice[] }>();
    for (const { text, tag } of passages) {
      for (const character of text) {
        const key = `${character}${tag}`;
        if (asked.has(key)) continue;
        const point = character.codePointAt(0) ?? 0;
        asked.set(key, { point, slices: this.#catalogue.candidates(point, tag) });
      }
    }
    // A slice that promises a character may lack it: then the next one is asked.
    while (asked.size > 0) {
      const next = new Set([...asked.values()].flatMap(({ slices }) => slices.slice(0, 1)));
      await this.#load([...next].filter((slice) => !this.#faces.has(slice)));
      for (const [key, { point, slices }] of asked) {
        const slice = slices.shift();
        const face = slice && this.#faces.get(slice);
        if (face && !face.has(point)) continue;
        this.#chosen.set(key, face ?? null);
        asked.delete(key);
      }
    }
  }

  async #load(slices: readonly Slice[]): Promise<void> {
    await Promise.all(
      slices.map(async (slice) => {
        this.#faces.set(slice, await open(this.#source, slice));
      }),
    );
  }

  /**
   * The face in which `character` is drawn behind one in `before`; null for what is not drawn. A
   * character that no font has is drawn as missing.
   */
  faceOf(character: string, tag: string, before: Face | null): Face | null {
    const point = character.codePointAt(0) ?? 0;
    const stays = attached.test(character) || (before?.complex && common.test(character));
    if (before && stays && before.has(point)) return before;
    const chosen = this.#chosen.get(`${character}${tag}`);
    if (unseen.test(character)) return null;
    return chosen ?? this.#fallback;
  }
}
