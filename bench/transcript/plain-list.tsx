import { useEffect, useRef, useState } from "react";
import {
  BilingualRow,
  originalClass,
  SpeakerTag,
  translationClass,
} from "#client/ui/bilingual.tsx";
import type { RelayServerMessage } from "#shared/relay.ts";
import { createEntries, toDemoTranslation } from "./speech.ts";

type Batch = Extract<RelayServerMessage, { type: "tokens" }>;

interface PlainRow {
  original: string;
  translated: string;
  speaker: string | null;
}

/** The usual way to write this list: rows and live line in one state, one component per row, no memo. */
export function PlainList({ rows: count, onReady }: { rows: number; onReady: Ready }) {
  const [rows, setRows] = useState<PlainRow[]>(() => createEntries(count));
  const [live, setLive] = useState("");
  const end = useRef<HTMLDivElement>(null);

  useEffect(() => {
    onReady((message) => {
      const batch: Batch = JSON.parse(message);
      const text = batch.tokens
        .map((token) => token.text)
        .join("")
        .trim();
      if (batch.endpoint !== true) return setLive(text);
      setLive("");
      const speaker = batch.tokens[0]?.speaker ?? null;
      setRows((before) => [
        ...before,
        { original: text, translated: toDemoTranslation(text), speaker },
      ]);
    });
  }, [onReady]);

  useEffect(() => {
    if (live !== "" || rows.length > 0) end.current?.scrollIntoView();
  }, [live, rows]);

  return (
    <section className="h-full overflow-y-auto px-7 pb-37">
      <div className="mx-auto max-w-275">
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever appended
          <Row key={index} row={row} />
        ))}
        <BilingualRow columns="two" time={null} isNewParagraph={false}>
          <p lang="en" className={originalClass}>
            {live}
          </p>
          <p lang="zh-Hans" className={translationClass} />
        </BilingualRow>
        <div ref={end} />
      </div>
    </section>
  );
}

type Ready = (deliver: (message: string) => void) => void;

function Row({ row }: { row: PlainRow }) {
  return (
    <BilingualRow columns="two" time={null} isNewParagraph={false}>
      <p lang="en" className={originalClass}>
        {row.speaker === null ? null : <SpeakerTag speaker={row.speaker} />}
        {row.original}
      </p>
      <p lang="zh-Hans" className={translationClass}>
        {row.translated}
      </p>
    </BilingualRow>
  );
}
