import { CalendarPlus, Check, ChevronLeft, ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { sampleLanguage, useNotifySample } from "#client/features/mock/sample.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { browserClock } from "#client/lib/clock.ts";
import { formatTime } from "#client/lib/dates.ts";
import { Signal, useValue } from "#client/lib/signal.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import { Segments } from "#client/ui/segments.tsx";
import {
  type Day,
  formatLongDay,
  formatMonth,
  initialCalendar,
  listWeeks,
  type CalendarView as Shown,
  toLocalDay,
  turnCalendar,
} from "./calendar.ts";
import { DayGrid } from "./day-grid.tsx";
import { type Lesson, listLessons } from "./sample.ts";

const views: readonly Shown[] = ["month", "week", "day"];

export function CalendarView() {
  const t = useT();
  const language = useLanguage();
  const [calendar, setCalendar] = useState(initialCalendar);
  const { view, chosen } = calendar;
  const today = toLocalDay(new Date(browserClock.now()));
  const choose = (day: Day) => setCalendar({ view, chosen: day });
  return (
    <section aria-label={t("mock.calendar.label")}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
        <h2 aria-live="polite" className="mr-auto font-semibold text-xl tracking-tight">
          {view === "day" ? formatLongDay(chosen, language) : formatMonth(chosen, language)}
        </h2>
        <div className="flex items-center max-sm:-mr-2.25">
          <IconButton
            label={t(`mock.calendar.before.${view}`)}
            onClick={() => setCalendar(turnCalendar(calendar, -1))}
          >
            <ChevronLeft className="size-4.5" aria-hidden="true" />
          </IconButton>
          <Button size="small" onClick={() => choose(today)}>
            {t("mock.calendar.today")}
          </Button>
          <IconButton
            label={t(`mock.calendar.next.${view}`)}
            onClick={() => setCalendar(turnCalendar(calendar, 1))}
          >
            <ChevronRight className="size-4.5" aria-hidden="true" />
          </IconButton>
        </div>
        <Segments<Shown>
          label={t("mock.calendar.view")}
          value={view}
          options={views.map((value) => ({ value, label: t(`mock.calendar.${value}`) }))}
          onChange={(next) => setCalendar({ view: next, chosen })}
        />
      </div>
      {view === "day" ? null : (
        <DayGrid
          weeks={listWeeks(calendar)}
          view={view}
          chosen={chosen}
          today={today}
          onChoose={choose}
        />
      )}
      <Lessons day={chosen} showDay={view !== "day"} />
    </section>
  );
}

/** The ids of the lessons that were added, until the page is reloaded. */
const addedLessons = new Signal<ReadonlySet<string>>(new Set());

interface LessonsProps {
  day: Day;
  /** Shows the day's name above the lessons. */
  showDay: boolean;
}

function Lessons({ day, showDay }: LessonsProps) {
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
