import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useLanguage } from "../../i18n/index.ts";
import { browserClock } from "../../lib/clock.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useWords } from "../words.ts";
import {
  type Day,
  firstCalendar,
  inWeeks,
  localDay,
  type CalendarView as Shown,
  shownDays,
  turned,
} from "./calendar.ts";
import { DayGrid } from "./day-grid.tsx";
import { Lessons } from "./lessons.tsx";
import { dayName, monthName } from "./names.ts";

const views: readonly Shown[] = ["month", "week", "day"];

/** The sample timetable: a month, a week or a day of it, and the lessons of the day that is chosen. */
export function CalendarView() {
  const t = useWords();
  const language = useLanguage();
  const [calendar, setCalendar] = useState(firstCalendar);
  const { view, chosen } = calendar;
  const today = localDay(new Date(browserClock.now()));
  const choose = (day: Day) => setCalendar({ view, chosen: day });
  return (
    <section aria-label={t("calendar.label")}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
        <h2 aria-live="polite" className="mr-auto font-semibold text-xl tracking-tight">
          {view === "day" ? dayName(chosen, language) : monthName(chosen, language)}
        </h2>
        <div className="flex items-center max-sm:-mr-2.25">
          <IconButton
            label={t(`calendar.before.${view}`)}
            onClick={() => setCalendar(turned(calendar, -1))}
          >
            <ChevronLeft className="size-4.5" aria-hidden="true" />
          </IconButton>
          <Button size="small" onClick={() => choose(today)}>
            {t("calendar.today")}
          </Button>
          <IconButton
            label={t(`calendar.next.${view}`)}
            onClick={() => setCalendar(turned(calendar, 1))}
          >
            <ChevronRight className="size-4.5" aria-hidden="true" />
          </IconButton>
        </div>
        <Segments<Shown>
          label={t("calendar.view")}
          value={view}
          options={views.map((value) => ({ value, label: t(`calendar.${value}`) }))}
          onChange={(next) => setCalendar({ view: next, chosen })}
        />
      </div>
      {view === "day" ? null : (
        <DayGrid
          weeks={inWeeks(shownDays(calendar))}
          view={view}
          chosen={chosen}
          today={today}
          onChoose={choose}
        />
      )}
      <Lessons day={chosen} titled={view !== "day"} />
    </section>
  );
}
