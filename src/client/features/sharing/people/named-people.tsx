import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import { useT } from "#client/features/sharing/messages/index.ts";
import { useLatch } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { peopleMessages } from "./messages/index.ts";

const People = lazyPart(() => import("./people.tsx"), peopleMessages);

/** Sharing with named people, apart from the link, behind a button. */
export function NamedPeople({ lectureId }: { lectureId: string }) {
  const t = useT();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const wasOpen = useLatch(isOpen);
  return (
    <div className="grid gap-2 border-rule border-t pt-3">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="touch-target flex items-center gap-1.5 justify-self-start font-medium hover:text-ink-2"
      >
        {t("share.people")}
        <ChevronDown
          className={`size-4 text-ink-3 transition-transform duration-150 ease-quiet ${isOpen ? "rotate-180" : ""}`}
        />
      </button>
      <div id={id} hidden={!isOpen}>
        {wasOpen ? <People lectureId={lectureId} /> : null}
      </div>
    </div>
  );
}
