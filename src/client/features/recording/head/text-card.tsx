import { Popover } from "@base-ui/react/popover";
import type { RefObject } from "react";
import { dialogMessages, useT } from "#client/features/recording/dialog-messages/index.ts";
import { isTextCardOpen } from "#client/features/recording/screen-state.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useT as useReadingT } from "#client/reading/dialog-messages/index.ts";
import { hear, hearRequest, stopHearing } from "#client/reading/hearing/hear-state.ts";
import { ReadingFields } from "#client/reading/reading-options.tsx";
import { termMessages } from "#client/reading/terms/messages/index.ts";
import { useColumnNames, usePair } from "#client/reading/use-languages.ts";
import { toggleTheme } from "#client/state/profile-theme.ts";
import { theme } from "#client/state/theme.ts";
import { LabelledSegments } from "#client/ui/segments.tsx";
import { Switch } from "#client/ui/switch.tsx";
import { ContextInput } from "./context-input.tsx";
import { LanguagePairControl } from "./language-pair.tsx";

const GlossaryLink = lazyPart(() => import("./glossary-link.tsx"), termMessages, dialogMessages);

interface TextCardProps {
  document: LectureDocument;
  /** Below which it opens. */
  anchor: RefObject<HTMLElement | null>;
  /** Of a lecture that does not exist yet: see `GlossaryLink`. Undefined: no glossary is shown. */
  newFolderId: string | null | undefined;
}

/** The languages, what the lecture is about, and how its text looks. It is open while it is mounted. */
export default function TextCard({ document, anchor, newFolderId }: TextCardProps) {
  const r = useReadingT();
  const isOpen = useValue(isTextCardOpen);
  const pair = usePair(document);
  const blocks = useValue(document.transcript.blocks);
  const isRecording = useField(document.view, "status") === "recording";
  const names = useColumnNames(pair, blocks);
  const isTranslated =
    names.pair !== null ||
    blocks.some(({ rows }) => rows.some((row) => row.translation !== "none"));
  return (
    <Popover.Root open={isOpen} onOpenChange={(open) => isTextCardOpen.set(open)}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          sideOffset={4}
          align="end"
          alignOffset={8}
          collisionPadding={8}
          className="z-25 outline-none"
        >
          <Popover.Popup
            aria-label={r("reading.options")}
            className="grid max-h-(--available-height) w-96 max-w-(--available-width) gap-4 overflow-y-auto rounded-m border border-rule bg-sheet p-4 text-ink shadow-sheet outline-none transition-opacity duration-150 ease-quiet data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <LanguagePairControl document={document} />
            <div className="grid gap-1.5">
              <ContextInput document={document} />
              {newFolderId === undefined ? null : (
                <GlossaryLink document={document} newFolderId={newFolderId} className="flex" />
              )}
            </div>
            <ReadingFields isTranslated={isTranslated} pair={pair} names={names} />
            {isTranslated &&
            pair.targetLanguage !== "none" &&
            (blocks.length > 0 || isRecording) ? (
              <HearField />
            ) : null}
            <ThemeField />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function HearField() {
  const r = useReadingT();
  const isOn = useValue(hearRequest) !== null;
  return (
    <Switch
      label={r("hear.translation")}
      hint={r("hear.hint")}
      checked={isOn}
      onChange={(on) => (on ? hear() : stopHearing())}
    />
  );
}

function ThemeField() {
  const t = useT();
  const shown = useValue(theme);
  return (
    <LabelledSegments
      label={t("text.theme")}
      value={shown === "dark" ? "dark" : "light"}
      options={[
        { value: "light", label: t("text.light") },
        { value: "dark", label: t("text.dark") },
      ]}
      onChange={toggleTheme}
    />
  );
}
