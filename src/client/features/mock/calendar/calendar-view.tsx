import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { browserClock } from "#client/realtime/platform/clock.ts";
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
import { Lessons } from "./lessons.tsx";

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
