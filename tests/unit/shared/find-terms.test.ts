import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findTerms } from "#shared/find-terms.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { termsPerTextMax } from "#shared/limits.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const toPairs = (terms: readonly string[]) =>
  terms.map((source) => ({ source, target: `<${source}>` }));
const find = (text: string, terms: readonly string[], language: SpokenLanguage = "en") =>
  findTerms(text, toPairs(terms), language).map(({ source }) => source);

/** A term and words that are forms of it. */
const forms: [SpokenLanguage, term: string, forms: string][] = [
  ["en", "ribosome", "ribosome ribosomes Ribosome's RIBOSOMES ribosome’s"],
  ["en", "ribosomes", "ribosome ribosomes"],
  ["en", "enzyme", "enzyme, enzymes."],
  ["en", "gas", "gas gases"],
  ["en", "eigenvalue", "eigenvalues"],
  ["en", "theory", "theory theories theory's"],
  ["en", "hypothesis", "hypotheses"],
  ["en", "nucleus", "nuclei"],
  ["en", "bacterium", "bacteria"],
  ["en", "mitochondrion", "mitochondria"],
  ["en", "matrix", "matrices matrixes"],
  ["en", "vertex", "vertices"],
  ["en", "oxidize", "oxidizes oxidized oxidizing"],
  ["en", "buffer", "buffers buffered buffering"],
  ["en", "plan", "planned planning plans"],
  ["en", "rate", "rates rated rating"],
  ["en", "T cell", "T cells|T-cells|T cell's"],
  ["en", "null-hypothesis", "null hypothesis|null hypotheses"],
  ["en", "ｐＨ value", "pH values|PH value"],
  ["en", "C++", "C++"],
  ["en", "Node.js", "Node.js|Node js"],
  ["en", "TCP/IP", "TCP/IP"],
  ["en", "Dr. Smith", "Dr. Smith|Dr. Smith's"],
  ["de", "Zelle", "Zelle Zellen"],
  ["de", "Vektor", "Vektor Vektoren Vektors"],
  ["de", "Atomkern", "Atomkern Atomkerns Atomkernes Atomkerne Atomkernen"],
  ["de", "Magnetfeld", "Magnetfeld Magnetfelder Magnetfeldern Magnetfeldes"],
  ["de", "Satz", "Satz Sätze Sätzen Satzes"],
  ["de", "Bakterium", "Bakterium Bakterien"],
  ["de", "Basis", "Basis Basen"],
  [
    "de",
    "elektrisches Feld",
    "elektrisches Feld|elektrischen Feldes|elektrische Felder|elektrischem Feld",
  ],
  ["es", "célula", "célula células"],
  ["es", "función", "función funciones"],
  ["es", "luz", "luz luces"],
  ["es", "ácido nucleico", "ácido nucleico|ácidos nucleicos"],
  ["fr", "noyau", "noyau noyaux"],
  ["fr", "électron", "l’électron d'électrons électron"],
  ["it", "nucleo", "nucleo nuclei"],
  ["it", "funzione", "funzione funzioni"],
  ["pt", "função", "função funções"],
  ["pt", "potencial", "potencial potenciais"],
  ["ru", "клетка", "клетка клетки клетке клетку клеткой клеток клеткам клетками"],
  ["ru", "атом", "атом атома атому атомом атомы атомов атомах"],
  ["ru", "энергия", "энергия энергии энергию энергией"],
  ["ru", "ускорение", "ускорение ускорения ускорению ускорением ускорений"],
  ["ru", "магнитное поле", "магнитное поле|магнитного поля|магнитным полем|магнитных полях"],
  ["ru", "белок", "белок белка белки белков"],
  ["ar", "خلية", "خلية الخلية والخلية خليتان"],
  ["ko", "세포", "세포 세포는 세포의 세포들이 세포에서는"],
  ["zh", "细胞", "细胞|这些细胞会分裂。|细胞质量很小。"],
  ["zh", "DNA聚合酶", "ＤＮＡ聚合酶复制|DNA 聚合酶"],
  ["zh", "导数", "求函数的导数"],
  ["ja", "メタン", "メタンは|ﾒﾀﾝの"],
  ["ja", "有糸分裂", "細胞の有糸分裂では"],
  ["th", "เซลล์", "ในเซลล์ของเรา"],
  ["nl", "cel", "cel Cel"],
  ["fa", "نیم\u200cرسانا", "نیم\u200cرسانا"],
  ["he", "דנ״א", "דנ״א"],
];

/** A term and other words that look like it. */
const others: [SpokenLanguage, term: string, others: string][] = [
  ["en", "mitosis", "meiosis mitotic"],
  ["en", "phosphate", "phosphite phosphites phosphatase phosphoric phosphide"],
  ["en", "methane", "methanol methanal methyl ethane"],
  ["en", "methanol", "methane ethanol"],
  ["en", "rat", "rate rating rated"],
  ["en", "car", "care caring"],
  ["en", "plan", "plane planing planar"],
  ["en", "base", "based basis"],
  ["en", "mean", "meaning"],
  ["en", "ion", "ionic lion anion"],
  ["en", "organ", "organic organism"],
  ["en", "universe", "university universal"],
  ["en", "medium", "median"],
  ["en", "IT", "it its It"],
  ["en", "WHO", "who Who"],
  ["en", "C", "c C++ C#"],
  ["en", "cell membrane", "cell. Membrane|membrane cell|cell, membrane"],
  ["en", "TCP/IP", "TCP, IP|TCP. IP"],
  ["en", "bond", "bondage vagabond"],
  ["de", "Mitose", "Meiose Mitosis"],
  ["de", "Phosphat", "Phosphit Phosphid Phosphor"],
  ["de", "Methan", "Methanol Methen Ethan"],
  ["de", "Alken", "Alkan Alkin"],
  ["de", "Physik", "Physiker Physikerin"],
  ["de", "Größe", "große Große"],
  ["de", "Zahl", "zählen"],
  ["es", "mitosis", "meiosis"],
  ["es", "fosfato", "fosfito fosfitos"],
  ["es", "metano", "metanol metanoles etano"],
  ["es", "caso", "casa casas"],
  ["ru", "митоз", "мейоз мейоза"],
  ["ru", "фосфат", "фосфит фосфита"],
  ["ru", "метан", "метанол метанола этан"],
  ["ru", "поле", "пол полка"],
  ["fr", "méthane", "méthanol"],
  ["it", "metano", "metanolo"],
  ["ko", "메탄", "메탄올 에탄"],
  ["zh", "有丝分裂", "减数分裂"],
  ["zh", "磷酸盐", "亚磷酸盐"],
  ["zh", "磷酸", "磷酸盐"],
  ["zh", "甲烷", "甲醇"],
  ["zh", "氧化物", "过氧化物"],
  ["zh", "导数", "偏导数"],
  ["ja", "有糸分裂", "減数分裂"],
  ["ja", "リン酸塩", "亜リン酸塩"],
  ["ja", "リン酸", "リン酸塩"],
  ["ja", "メタン", "メタノール"],
  ["ja", "イオン", "ライオン"],
  ["nl", "fosfaat", "fosfiet"],
];

const split = (texts: string) => texts.split(texts.includes("|") ? "|" : " ");
const rows = (table: [SpokenLanguage, string, string][]) =>
  table.flatMap(([language, term, texts]) => split(texts).map((text) => [language, term, text]));

describe("findTerms", () => {
  it.each(rows(forms) as [SpokenLanguage, string, string][])(
    "%s: finds %s in %s",
    (language, term, text) => {
      expect(find(text, [term], language)).toEqual([term]);
    },
  );

  it.each(rows(others) as [SpokenLanguage, string, string][])(
    "%s: does not find %s in %s",
    (language, term, text) => {
      expect(find(text, [term], language)).toEqual([]);
    },
  );

  it("takes the longest term", () => {
    const terms = ["cell", "cell membrane", "membrane", "T cell"];
    expect(find("The cell membranes of a T cell.", terms)).toEqual(["cell membrane", "T cell"]);
    expect(find("亚磷酸盐和磷酸盐不同。", ["磷酸盐", "亚磷酸盐"], "zh")).toEqual([
      "亚磷酸盐",
      "磷酸盐",
    ]);
    expect(find("A cell has a cell membrane.", terms)).toEqual(["cell", "cell membrane"]);
  });

  it("prefers the very word to a form of another one", () => {
    expect(find("These bases pair.", ["basis", "base", "bases"])).toEqual(["bases"]);
  });

  it("gives each pair once, in the order of the text, and no more than fit", () => {
    expect(find("Ions, atoms and ions.", ["atom", "ion"])).toEqual(["ion", "atom"]);
    const many = Array.from({ length: 30 }, (_, index) => `word${index}`);
    expect(find(many.join(" "), many)).toEqual(many.slice(0, termsPerTextMax));
  });

  it("ignores terms without letters, and empty texts", () => {
    expect(find("a → b", ["→", " "])).toEqual([]);
    expect(find("", ["ion"])).toEqual([]);
  });

  const syllable = fc.constantFrom("ka", "mi", "to", "ren", "sol", "vi", "bar", "nu");
  const word = fc
    .array(syllable, { minLength: 2, maxLength: 4 })
    .map((syllables) => syllables.join(""));

  it("finds every term that stands in a sentence, unless it is inside a longer one", () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 8 }), fc.nat(), (terms, seed) => {
        const term = terms[seed % terms.length] ?? "";
        const text = `So the ${term}, then another.`;
        expect(find(text, terms)).toContain(term);
        expect(find(text.toUpperCase(), terms)).toContain(term);
      }),
      { numRuns: countRuns(200) },
    );
  });

  const languages = fc.constantFrom<SpokenLanguage>("en", "de", "es", "ru", "zh", "ja", "nl");
  const anyWord = fc.oneof(
    word,
    fc.stringMatching(/^[а-я]{3,9}$/),
    fc.stringMatching(/^[\u4e00-\u4e40]{2,5}$/),
  );

  it("finds nothing but terms whose beginning stands in the text", () => {
    fc.assert(
      fc.property(
        languages,
        fc.array(anyWord, { maxLength: 9 }),
        fc.array(anyWord, { maxLength: 9 }),
        (language, words, terms) => {
          const text = words.join(" ");
          // Every form keeps at least two letters.
          for (const term of find(text, terms, language))
            expect(text.replaceAll("ё", "е").toLowerCase()).toContain(
              term.slice(0, 2).replaceAll("ё", "е"),
            );
        },
      ),
      { numRuns: countRuns(400) },
    );
  });

  it("takes any text and any term", () => {
    fc.assert(
      fc.property(
        languages,
        fc.string({ unit: "grapheme" }),
        fc.array(fc.string({ unit: "grapheme" })),
        (language, text, terms) => {
          expect(find(text, terms, language).length).toBeLessThanOrEqual(termsPerTextMax);
        },
      ),
      { numRuns: countRuns(400) },
    );
  });
});
