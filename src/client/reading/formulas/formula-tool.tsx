import { Sigma } from "lucide-react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import { RowTool } from "#client/reading/row-tool.tsx";
import { formulaSentenceMaxLength } from "#shared/limits.ts";
import { askedRows, askFormulas, hideFormulas } from "./ask-formulas.ts";
import { mayHaveSpokenMath } from "./find-spoken-math.ts";
import { useT } from "./messages/index.ts";

interface FormulaToolProps {
  lecture: LectureDocument;
  position: number;
  /** Its row shows other formulas now. */
  onDone: () => void;
}

/** Of a touched row that may say a formula: shows it below the sentence, or hides it again. */
export default function FormulaTool({ lecture, position, onDone }: FormulaToolProps) {
  const t = useT();
  const asked = useValue(askedRows);
  const blocks = useValue(lecture.transcript.blocks);
  const row = blocks
    .find(({ rows }) => (rows.at(-1)?.position ?? -1) >= position)
    ?.rows.find((one) => one.position === position);
  if (!row || !lecture.setFormulas) return null;
  const { id, original, formulas = [] } = row;
  const isShown = formulas.length > 0;
  const isOffered = original.length <= formulaSentenceMaxLength && mayHaveSpokenMath(original);
  if (!isShown && !isOffered) return null;
  const isAsked = asked.has(id);
  const action = isAsked ? "writing" : isShown ? "hide" : "show";

  async function run() {
    if (isAsked) return;
    if (isShown) hideFormulas(lecture, id);
    else if (!(await askFormulas(lecture, id))) return;
    onDone();
  }

  return (
    <RowTool
      icon={Sigma}
      label={t(`formulas.${action}`)}
      shortLabel={t(`formulas.${action}.short`)}
      aria-busy={isAsked}
      onClick={() => void run()}
    />
  );
}
