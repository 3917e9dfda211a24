import { Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { useT } from "#client/i18n/sound/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { formatSize } from "#client/lib/text.ts";
import { keepSoundSetting } from "#client/state/keep-sound-setting.ts";
import {
  type KeptLecture,
  keptSoundVersion,
  removeKeptSound,
  syncKeptLectures,
} from "#client/state/kept-sound.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import ConfirmDialog from "#client/ui/confirm-dialog.tsx";

/** What this device keeps for the user: sizes, and deleting it. */
export default function KeptSound() {
  const t = useT();
  const wasOn = useValue(keepSoundSetting) !== null;
  return (
    <section aria-labelledby="kept-sound" className="grid gap-3">
      <h3 id="kept-sound" className="font-medium">
        {t("sound.kept")}
      </h3>
      {wasOn ? <KeptLectures /> : <p className="text-ink-3 text-sm">{t("sound.none")}</p>}
    </section>
  );
}

function KeptLectures() {
  const t = useT();
  const version = useValue(keptSoundVersion);
  const [lectures, setLectures] = useState<readonly KeptLecture[] | "failed" | null>(null);
  const [isQuestionOpen, setQuestionOpen] = useState(false);
  /** What the question is about; null: everything. The closing dialog keeps it. */
  const [chosen, setChosen] = useState<KeptLecture | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when something was deleted
  useEffect(() => {
    let isCurrent = true;
    syncKeptLectures().then(
      (found) => isCurrent && setLectures(found),
      (failure: unknown) => {
        console.warn("kept sound not listed", failure);
        if (isCurrent) setLectures("failed");
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [version]);

  function ask(about: KeptLecture | null) {
    setChosen(about);
    setQuestionOpen(true);
  }

  async function remove(): Promise<boolean> {
    try {
      await removeKeptSound(chosen?.id);
      return true;
    } catch (failure) {
      console.warn("kept sound not deleted", failure);
      toastFailure(t("sound.notDeleted"));
      return false;
    }
  }

  if (lectures === null) return null;
  if (lectures === "failed") return <p className="text-ink-3 text-sm">{t("sound.listFailed")}</p>;
  if (lectures.length === 0) return <p className="text-ink-3 text-sm">{t("sound.none")}</p>;
  const total = formatSize(lectures.reduce((sum, { bytes }) => sum + bytes, 0));
  return (
    <>
      <ul className="max-h-72 divide-y divide-rule overflow-y-auto rounded-m border border-rule">
        {lectures.map((lecture) => (
          <li key={lecture.id} className="flex items-center gap-3 py-1 pr-1.5 pl-3.5">
            <span className="min-w-0 flex-1 truncate">
              {lecture.title}
              {lecture.isDeleted ? (
                <span className="text-ink-3 text-sm"> · {t("sound.inTrash")}</span>
              ) : null}
            </span>
            <span className="tabular shrink-0 text-ink-3 text-sm">{formatSize(lecture.bytes)}</span>
            <IconButton
              icon={Trash2}
              label={t("sound.deleteOne", { title: lecture.title })}
              onClick={() => ask(lecture)}
            />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="tabular text-ink-3 text-sm">{t("sound.total", { size: total })}</p>
        <Button className="text-seal-text hover:text-seal-text" onClick={() => ask(null)}>
          {t("sound.deleteAll")}
        </Button>
      </div>
      <ConfirmDialog
        open={isQuestionOpen}
        title={t("sound.deleteTitle")}
        text={
          chosen
            ? t("sound.deleteText", { title: chosen.title, size: formatSize(chosen.bytes) })
            : t("sound.deleteAllText", { size: total })
        }
        confirmLabel={t("sound.delete")}
        busyLabel={t("sound.deleting")}
        onClose={() => setQuestionOpen(false)}
        onConfirm={remove}
      />
    </>
  );
}
