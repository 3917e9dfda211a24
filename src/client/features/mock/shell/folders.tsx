import { ChevronDown, Folder } from "lucide-react";
import { useId, useState } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { useNotifySample } from "#client/features/mock/notify-sample.ts";
import { sampleLanguage } from "#client/features/mock/sample-language.ts";
import { entryClass } from "./entry.ts";
import { folders } from "./sample.ts";

/** The sample folders, collapsed at first. */
export function Folders() {
  const t = useT();
  const notifySample = useNotifySample();
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className={entryClass}
      >
        <Folder className="size-4 shrink-0" aria-hidden="true" />
        {t("mock.sidebar.folders")}
        <ChevronDown
          className={`ml-auto size-4 text-ink-3 transition-transform duration-150 ease-quiet ${open ? "rotate-180" : ""}`}
          aria-hidden="true"
        />
      </button>
      <ul id={id} hidden={!open} lang={sampleLanguage} className="grid gap-0.5 pl-6.5">
        {folders.map((name) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => notifySample(t("mock.sidebar.folders"))}
              className={entryClass}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
