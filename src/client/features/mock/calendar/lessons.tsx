import { CalendarPlus, Check } from "lucide-react";
import { useId } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { sampleLanguage, useNotifySample } from "#client/features/mock/sample.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { formatTime } from "#client/lib/dates.ts";
import { Signal, useValue } from "#client/lib/signal.ts";
import { Button } from "#client/ui/button.tsx";
import { type Day, formatLongDay } from "./calendar.ts";
import { type Lesson, listLessons } from "./sample.ts";

/** The ids of the lessons that were added, until the page is reloaded. */
const addedLessons = new Signal<ReadonlySet<string>>(new Set());

interface LessonsProps {
  day: Day;
  /** Shows the day's name above the lessons. */
  showDay: boolean;
}

export function Lessons({ day, showDay }: LessonsProps) {
  const t = useT();
  const language = useLanguage();
  const lessons = listLessons(day);
  return (
    <div className="mt-5">
      {showDay ? (
        <h3 className="mb-1 font-[550] text-ink-2 text-sm">{formatLongDay(day, language)}</h3>
      ) : null}
      {lessons.length > 0 ? (
        <ul>
          {lessons.map((lesson) => (
            <LessonRow key={lesson.id} lesson={lesson} />
          ))}
        </ul>
      ) : (
        <p className="py-3 text-ink-3">{t("mock.calendar.empty")}</p>
      )}
    </div>
  );
}

function LessonRow({ lesson: { id, day, start, title, place } }: { lesson: Lesson }) {
  const t = useT();
  const name = useId();
  const notifySample = useNotifySample();
  const isAdded = useValue(addedLessons).has(id);

  function add() {
    addedLessons.set(new Set([...addedLessons.get(), id]));
    notifySample(t("mock.calendar.added"), "success");
  }

  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-2 border-rule py-3.5 not-first:border-t">
      <span className="tabular w-17 shrink-0 text-ink-2 text-sm">
        {formatTime(`${day}T${start}`)}
      </span>
      <div lang={sampleLanguage} className="min-w-0 flex-1 max-sm:basis-50">
        <p id={name} className="font-medium">
          {title}
        </p>
        <p className="text-ink-3 text-sm">{place}</p>
      </div>
      <Button
        size="small"
        disabled={isAdded}
        aria-describedby={name}
        onClick={add}
        className="max-sm:ml-22"
      >
        {isAdded ? (
          <Check className="size-4 text-jade" aria-hidden="true" />
        ) : (
          <CalendarPlus className="size-4" aria-hidden="true" />
        )}
        {t(isAdded ? "mock.calendar.added" : "mock.calendar.add")}
      </Button>
    </li>
  );
}
