import { useRef, useState } from "react";
import type { Lecture } from "../../../shared/lecture.ts";
import { lectureNameMaxLength } from "../../../shared/limits.ts";
import { useT } from "../../i18n/index.ts";
import { toast } from "../../lib/notify.ts";
import { api } from "../../lib/queries.tsx";

/** The lecture's name as a heading that can be typed in. Enter or leaving it renames, Escape does not. */
export function LectureName({ lecture }: { lecture: Lecture }) {
  const t = useT();
  const utils = api.useUtils();
  const [name, setName] = useState(lecture.title);
  const dropped = useRef(false);
  const rename = api.lectures.rename.useMutation({
    onSuccess: async (_result, { id, title }) => {
      utils.lectures.get.setData({ id }, (known) => known && { ...known, title });
      await utils.lectures.list.invalidate();
      toast({ kind: "success", title: t("detail.renamed") });
    },
    onError: () => {
      setName(lecture.title);
      toast({ kind: "failure", title: t("common.error"), description: t("detail.renameFailed") });
    },
  });

  function commit() {
    const title = name.trim();
    const unchanged = dropped.current || title === "" || title === lecture.title;
    dropped.current = false;
    if (unchanged) setName(lecture.title);
    else rename.mutate({ id: lecture.id, title });
  }

  return (
    <h1 className="-mx-2 font-semibold text-2xl tracking-tight">
      <input
        aria-label={t("detail.name")}
        value={name}
        maxLength={Math.max(lectureNameMaxLength, lecture.title.length)}
        placeholder={t("home.untitled")}
        onChange={(event) => setName(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Escape") dropped.current = true;
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
        className="w-full truncate rounded-s bg-transparent px-2 py-0.5 transition-colors duration-150 ease-quiet hover:bg-paper-2 focus:bg-sheet"
      />
    </h1>
  );
}
