import { Fragment } from "react";
import {
  type ExportedLecture,
  type ExportedRow,
  type Line,
  listNotes,
  markSign,
  markTurns,
  selectLines,
  signTask,
} from "#client/features/export/exported-lecture.ts";
import { type ExportedSlide, nameSlide } from "#client/features/export/exported-slides.ts";
import {
  parseSummary,
  type Runs,
  type SummaryBlock,
  type SummaryTable,
} from "#client/features/export/summary-blocks.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useT } from "#client/i18n/print/index.ts";
import { formatClock, formatMoment } from "#client/lib/dates.ts";
import { writeFormula } from "#client/lib/formulas.ts";
import { formatDateTitle } from "#client/state/library/list-texts.ts";
import { ShownFormula, TextWithFormulas } from "#client/ui/formula.tsx";
import { getDirection, getLanguageName, getTextLanguage } from "#shared/languages.ts";
import { toSlidePath } from "#shared/slide-address.ts";
import type { PrintSearch } from "./print-search.ts";
import "./print.css";

interface PrintedLectureProps {
  lecture: ExportedLecture;
  options: PrintSearch;
}

/** A lecture for print: a table with a repeated head and unbroken rows. */
export function PrintedLecture({ lecture, options }: PrintedLectureProps) {
  const t = useT();
  const language = useLanguage();
  const summary = options.summary ? lecture.summary : null;
  const actions = options.summary ? lecture.actionItems : [];
  return (
    <article className="printed">
      <h1
        lang=""
        dir="auto"
        className="text-balance font-[650] text-[20pt] leading-[1.25] tracking-[-0.01em]"
      >
        {lecture.title}
      </h1>
      {lecture.title === formatDateTitle(lecture.createdAt, language) ? null : (
        <p className="mt-[4pt] text-[9pt] text-ink-3">
          {formatMoment(lecture.createdAt, language)}
        </p>
      )}
      {lecture.demoMark === null ? null : (
        <p
          role="note"
          className="mt-[8pt] border-ink border-s-2 ps-[6pt] font-semibold text-[10pt]"
        >
          {lecture.demoMark}
        </p>
      )}
      {summary ? (
        <>
          <h2>{t("lecture.summary")}</h2>
          {/* It may be in any language, so its direction is detected from its letters. */}
          <div lang="" className="[&>p]:mt-[4pt]">
            {parseSummary(summary).map((block, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not change
              <SummaryParagraph key={index} block={block} />
            ))}
          </div>
        </>
      ) : null}
      {actions.length > 0 ? (
        <>
          <h2>{t("export.actions")}</h2>
          {actions.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items do not change
            <p key={index} lang="" dir="auto" className="mt-[3pt] break-inside-avoid">
              {signTask(item)}
            </p>
          ))}
        </>
      ) : null}
      {summary || actions.length > 0 ? <h2>{t("export.transcript")}</h2> : null}
      {lecture.rows.length > 0 ? (
        <>
          {lecture.gaps.map((gap, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not change
            <p key={index} className="printed-gap">
              {gap}
            </p>
          ))}
          {options.slides && lecture.slides ? <Slides slides={lecture.slides} /> : null}
          <Transcript lecture={lecture} options={options} />
        </>
      ) : (
        <p>{t("lecture.noTranscript")}</p>
      )}
      {options.terms && lecture.terms.length > 0 ? (
        <>
          <h2>{t("export.terms")}</h2>
          {lecture.terms.map(({ term, termLanguage, translation, language: into, note }) => (
            <p
              key={`${termLanguage.lang} ${into.lang} ${term}`}
              className="mt-[3pt] break-inside-avoid"
            >
              <b {...termLanguage}>{term}</b>
              {" – "}
              <bdi lang={into.lang}>{translation}</bdi>
              {note ? (
                <>
                  {" "}
                  <bdi lang="" className="text-ink-3">
                    ({note})
                  </bdi>
                </>
              ) : null}
            </p>
          ))}
        </>
      ) : null}
    </article>
  );
}

function TextRuns({ runs }: { runs: Runs }) {
  return runs.map(({ text, bold, formula }, index) => {
    const shown = formula ? <ShownFormula text={text} formula={formula} /> : text;
    const Element = bold ? "b" : Fragment;
    // biome-ignore lint/suspicious/noArrayIndexKey: the runs do not change
    return <Element key={index}>{shown}</Element>;
  });
}

function PrintedTable({ table: { head, rows } }: { table: SummaryTable }) {
  return (
    <table dir="auto">
      <thead>
        <tr>
          {head.map((runs, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns do not change
            <th key={index} scope="col" dir="auto">
              <TextRuns runs={runs} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not change
          <tr key={index}>
            {cells.map((runs, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns do not change
              <td key={column} dir="auto">
                <TextRuns runs={runs} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SummaryParagraph({ block }: { block: SummaryBlock }) {
  if (block.kind === "table") return <PrintedTable table={block} />;
  const runs = <TextRuns runs={block.runs} />;
  if (block.kind === "heading")
    return (
      <h3 dir="auto" className="mt-[10pt] mb-[3pt] break-after-avoid font-[650]">
        {runs}
      </h3>
    );
  if (block.kind === "paragraph") return <p dir="auto">{runs}</p>;
  return (
    <p dir="auto" style={{ paddingInlineStart: `${1.6 * (block.depth + 1)}em` }}>
      <span className="-ms-[1.6em] inline-block min-w-[1.6em]">{block.marker}</span>
      {runs}
    </p>
  );
}

function Transcript({ lecture, options }: PrintedLectureProps) {
  const { rows } = lecture;
  const { sides, layout } = options;
  const times = options.times && rows.some((row) => row.endMs > 0);
  const speakers = options.speakers && rows.some((row) => row.speaker !== null);
  const margin = times || speakers;
  const original = <SideName lecture={lecture} side="original" />;
  const translation = <SideName lecture={lecture} side="translation" />;
  const columns = sides === "both" && layout === "columns";
  const getMarks = (row: ExportedRow) => (options.marks ? row.marks : []);
  return (
    <table>
      <colgroup>
        {margin ? <col className={speakers ? "printed-names" : "printed-times"} /> : null}
        <col />
        {columns ? <col /> : null}
      </colgroup>
      <thead>
        <tr>
          {margin ? <td /> : null}
          <th
            scope="col"
            dir={getSideDirection(lecture, sides === "translation" ? sides : "original")}
          >
            {sides === "translation" ? translation : original}
            {sides === "both" && !columns ? <> · {translation}</> : null}
          </th>
          {columns ? (
            <th scope="col" dir={getSideDirection(lecture, "translation")}>
              {translation}
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {markTurns(rows).map(({ row, turn }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not change
          <Fragment key={index}>
            <tr>
              {margin ? (
                <td className="text-[8pt] text-ink-3 leading-[1.4]">
                  {times && row.endMs > 0 ? (
                    <time className="block tabular-nums">{formatClock(row.startMs / 1000)}</time>
                  ) : null}
                  {speakers && turn ? (
                    <span lang="" dir="auto" className="block font-semibold">
                      {row.speaker}
                    </span>
                  ) : null}
                </td>
              ) : null}
              {columns ? (
                (["original", "translation"] as const).map((side) => (
                  <Text
                    key={side}
                    lines={selectLines(row, "both").filter((line) => line.side === side)}
                    formulas={(side === "translation") === row.isSecond ? row.formulas : []}
                    marks={(side === "translation") === row.isSecond ? getMarks(row) : []}
                  />
                ))
              ) : (
                <Text
                  lines={selectLines(row, sides)}
                  formulas={row.formulas}
                  marks={getMarks(row)}
                />
              )}
            </tr>
            {options.slides && row.slides && row.slides.length > 0 ? (
              <tr>
                {margin ? <td /> : null}
                <td colSpan={columns ? 2 : 1}>
                  <Slides slides={row.slides} />
                </td>
              </tr>
            ) : null}
            {row.gaps.map((gap, gapIndex) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not change
              <tr key={gapIndex}>
                {margin ? <td /> : null}
                <td colSpan={columns ? 2 : 1} className="printed-gap">
                  {gap}
                </td>
              </tr>
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function Slides({ slides }: { slides: readonly ExportedSlide[] }) {
  const t = useT();
  return slides.map((slide) => (
    <img
      key={slide.id}
      src={toSlidePath(slide.id, "full")}
      width={slide.width}
      height={slide.height}
      alt={nameSlide(slide, t("export.slide"))}
      className="my-[4pt] h-auto max-h-[100mm] w-auto max-w-full break-inside-avoid border-[0.5pt] border-rule"
    />
  ));
}

const getSideDirection = ({ languages }: ExportedLecture, side: "original" | "translation") =>
  getDirection(languages[side] ?? "");

/** Each language by its own name; spoken English as the interface calls it. */
function SideName({
  lecture: { languages },
  side,
}: Pick<PrintedLectureProps, "lecture"> & { side: "original" | "translation" }) {
  const t = useT();
  const language = useLanguage();
  const tag = languages[side];
  if (tag === null) return <>{t(`export.sides.${side}`)}</>;
  if (side === "original" && tag === "en") return <>{getLanguageName(tag, language)}</>;
  return <span {...getTextLanguage(tag)}>{getLanguageName(tag, tag)}</span>;
}

interface TextProps {
  lines: readonly Line[];
  formulas: ExportedRow["formulas"];
  marks: readonly string[];
}

/** The lines of a row, its formulas, and its notes, which may be in any language. */
function Text({ lines, formulas = [], marks }: TextProps) {
  return (
    <td>
      {lines.map(({ text, language, side }, index) => (
        <p
          key={side}
          lang={language.lang}
          dir={language.lang === "und" ? "auto" : language.dir}
          translate="no"
        >
          {index === 0 && marks.length > 0 ? markSign : null}
          <TextWithFormulas text={text} />
        </p>
      ))}
      {formulas.map(({ words, tex }) => (
        <p key={words + tex} translate="no">
          <ShownFormula
            text={writeFormula(tex)}
            formula={{ tex: `\\displaystyle ${tex}`, isDisplay: false }}
          />
          <span className="text-[8.5pt] text-ink-3"> – {words}</span>
        </p>
      ))}
      {listNotes({ marks }).map((note, index) => (
        <p
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not change
          key={index}
          lang=""
          dir="auto"
          className="border-rule-strong border-s-2 ps-[6pt] italic"
        >
          <TextWithFormulas text={note} />
        </p>
      ))}
    </td>
  );
}
