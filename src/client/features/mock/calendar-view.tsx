import { ChevronLeft, ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { browserClock } from "#client/lib/clock.ts";
import { formatTime } from "#client/lib/dates.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import {
  type CalendarView,
  type Day,
  getMonth,
  getWeekday,
  listWeeks,
  toDate,
  toLocalDay,
  turnPage,
} from "./calendar.ts";
import { useT } from "./messages/index.ts";
import { AddButton, Choice, useSample } from "./sample.tsx";

/** The lessons of a day: the timetable is the same every week. */
const useLessons = (day: Day) =>
  useSample().lessons.filter(({ weekday }) => weekday === getWeekday(day));

/** A day has no time zone: it is parsed and formatted in UTC. */
function useFormatDay() {
  const locale = useLanguage() === "en" ? "en-US" : "zh-CN";
  return (day: Day, options: Intl.DateTimeFormatOptions) =>
    toDate(day).toLocaleDateString(locale, { ...options, timeZone: "UTC" });
}

const month = { year: "numeric", month: "long" } as const;
const longDay = { ...month, day: "numeric", weekday: "long" } as const;

export function Calendar() {
  const t = useT();
  const formatDay = useFormatDay();
  const [view, setView] = useState<CalendarView>("month");
  const [chosen, setChosen] = useState<Day>("2025-10-15");
  const today = toLocalDay(new Date(browserClock.now()));
  return (
    <section aria-label={t("mock.calendar.label")} className="mt-8">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
        <h2 aria-live="polite" className="mr-auto font-semibold text-xl tracking-tight">
          {formatDay(chosen, view === "day" ? longDay : month)}
        </h2>
        <div className="flex items-center max-sm:-mr-2.25">
          <IconButton
            icon={ChevronLeft}
            iconClass="size-4.5"
            label={t(`mock.calendar.before.${view}`)}
            onClick={() => setChosen(turnPage(view, chosen, -1))}
          />
          <Button size="small" onClick={() => setChosen(today)}>
            {t("mock.calendar.today")}
          </Button>
          <IconButton
            icon={ChevronRight}
            iconClass="size-4.5"
            label={t(`mock.calendar.next.${view}`)}
            onClick={() => setChosen(turnPage(view, chosen, 1))}
          />
        </div>
        <Choice
          label="mock.calendar.view"
          value={view}
          values={["month", "week", "day"]}
          onChange={setView}
        />
      </div>
      {view === "day" ? null : (
        <>
          <DayGrid view={view} chosen={chosen} today={today} onChoose={setChosen} />
          <h3 className="mt-5 mb-1 font-[550] text-ink-2 text-sm">{formatDay(chosen, longDay)}</h3>
        </>
      )}
      <Lessons day={chosen} />
    </section>
  );
}

function Lessons({ day }: { day: Day }) {
  const t = useT();
  const language = useLanguage();
  const id = useId();
  const lessons = useLessons(day);
  if (lessons.length === 0) return <p className="py-3 text-ink-3">{t("mock.calendar.empty")}</p>;
  return (
    <ul>
      {lessons.map(({ start, title, place }) => (
        <li
          key={start}
          className="flex flex-wrap items-center gap-x-5 gap-y-2 border-rule py-3.5 not-first:border-t"
        >
          <span className="tabular w-17 shrink-0 text-ink-2 text-sm">
            {formatTime(`${day}T${start}`, language)}
          </span>
          <div className="min-w-0 flex-1 max-sm:basis-50">
            <p id={`${id}${start}`} className="font-medium">
              {title}
            </p>
            <p className="text-ink-3 text-sm">{place}</p>
          </div>
          <AddButton
            id={`${day} ${start}`}
            describedBy={`${id}${start}`}
            label="mock.calendar.add"
            addedLabel="mock.calendar.added"
          />
        </li>
      ))}
    </ul>
  );
}

interface DayGridProps {
  view: "month" | "week";
  chosen: Day;
  today: Day;
  onChoose: (day: Day) => void;
}

function DayGrid(grid: DayGridProps) {
  const t = useT();
  const formatDay = useFormatDay();
  const weekday = useLanguage() === "en" ? "short" : "narrow";
  const weeks = listWeeks(grid.view, grid.chosen);
  return (
    <table
      aria-label={t(`mock.choice.${grid.view}`)}
      className="mt-4 w-full table-fixed border-separate border-spacing-0 overflow-hidden rounded-l border border-rule bg-sheet"
    >
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th
              key={getWeekday(day)}
              scope="col"
              className="px-3 py-2 text-left font-[550] text-ink-2 text-xs max-sm:px-0 max-sm:text-center"
            >
              {formatDay(day, { weekday })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <td key={day} className="border-rule border-t p-0 not-first:border-l">
                <DayButton {...grid} day={day} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayButton({ day, view, chosen, today, onChoose }: DayGridProps & { day: Day }) {
  const t = useT();
  const name = useFormatDay()(day, longDay);
  const lessons = useLessons(day);
  const isTall = view === "week";
  const isOutsideMonth = view === "month" && getMonth(day) !== getMonth(chosen);
  return (
    <button
      type="button"
      data-day={day}
      aria-pressed={day === chosen}
      aria-current={day === today ? "date" : undefined}
      aria-label={t("mock.calendar.dayWith", { day: name, count: lessons.length })}
      onClick={() => onChoose(day)}
      className={`group flex w-full flex-col items-start gap-1 overflow-hidden p-1.5 text-left transition-colors duration-150 ease-quiet -outline-offset-2 hover:bg-paper-2 aria-pressed:bg-paper-3 max-sm:items-center ${isTall ? "h-40 max-sm:h-16" : "h-20 max-sm:h-14"}`}
    >
      <span
        className={`tabular grid size-6 shrink-0 place-items-center rounded-full text-sm group-aria-[current=date]:bg-ink group-aria-[current=date]:font-semibold group-aria-[current=date]:text-paper ${isOutsideMonth ? "text-ink-3" : "font-[550] text-ink"}`}
      >
        {Number(day.slice(8))}
      </span>
      {/* On a phone, a dot stands for a lesson. */}
      <span className="flex w-full flex-col gap-1 max-sm:flex-row max-sm:justify-center max-sm:gap-0.75">
        {lessons.slice(0, isTall ? 4 : 2).map(({ start, title }) => (
          <span
            key={start}
            className={`w-full truncate rounded-[4px] px-1.5 text-xs leading-[1.45] max-sm:size-1.5 max-sm:rounded-full max-sm:bg-jade max-sm:p-0 ${isOutsideMonth ? "bg-paper-3 text-ink-2" : "bg-jade-wash text-jade"}`}
          >
            <span className="max-sm:hidden">{title}</span>
          </span>
        ))}
      </span>
    </button>
  );
}
