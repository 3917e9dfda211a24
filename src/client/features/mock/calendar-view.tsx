import { CalendarPlus, ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { type InterfaceLanguage, useLanguage } from "#client/i18n/bundle.ts";
import { browserClock } from "#client/lib/clock.ts";
import { formatTime } from "#client/lib/dates.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import { Segments } from "#client/ui/segments.tsx";
import {
  type Calendar as CalendarState,
  type Day,
  getDayByKey,
  getMonth,
  getWeekday,
  initialCalendar,
  listWeeks,
  toDate,
  toLocalDay,
  turnCalendar,
} from "./calendar.ts";
import { useT } from "./messages/index.ts";
import { AddButton, type Sample, useSample } from "./sample.tsx";

/** The timetable is the same every week. */
const listLessons = ({ lessons }: Sample, day: Day) =>
  lessons.filter(({ weekday }) => weekday === getWeekday(day));

/** A day has no time zone: it is parsed and formatted in UTC. */
const formatDay = (day: Day, language: InterfaceLanguage, options: Intl.DateTimeFormatOptions) =>
  toDate(day).toLocaleDateString(language === "en" ? "en-US" : "zh-CN", {
    ...options,
    timeZone: "UTC",
  });

const month = { year: "numeric", month: "long" } as const;
const longDay = { ...month, day: "numeric", weekday: "long" } as const;

export function Calendar() {
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
          {formatDay(chosen, language, view === "day" ? longDay : month)}
        </h2>
        <div className="flex items-center max-sm:-mr-2.25">
          <IconButton
            icon={ChevronLeft}
            iconClass="size-4.5"
            label={t(`mock.calendar.before.${view}`)}
            onClick={() => setCalendar(turnCalendar(calendar, -1))}
          />
          <Button size="small" onClick={() => choose(today)}>
            {t("mock.calendar.today")}
          </Button>
          <IconButton
            icon={ChevronRight}
            iconClass="size-4.5"
            label={t(`mock.calendar.next.${view}`)}
            onClick={() => setCalendar(turnCalendar(calendar, 1))}
          />
        </div>
        <Segments
          label={t("mock.calendar.view")}
          value={view}
          options={(["month", "week", "day"] as const).map((value) => ({
            value,
            label: t(`mock.calendar.${value}`),
          }))}
          onChange={(next) => setCalendar({ view: next, chosen })}
        />
      </div>
      {view === "day" ? null : (
        <DayGrid view={view} chosen={chosen} today={today} onChoose={choose} />
      )}
      <div className="mt-5">
        {view === "day" ? null : (
          <h3 className="mb-1 font-[550] text-ink-2 text-sm">
            {formatDay(chosen, language, longDay)}
          </h3>
        )}
        <Lessons day={chosen} />
      </div>
    </section>
  );
}

function Lessons({ day }: { day: Day }) {
  const t = useT();
  const language = useLanguage();
  const id = useId();
  const lessons = listLessons(useSample(), day);
  if (lessons.length === 0) return <p className="py-3 text-ink-3">{t("mock.calendar.empty")}</p>;
  return (
    <ul>
      {lessons.map(({ start, title, place }) => (
        <li
          key={`${day} ${start}`}
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
            Icon={CalendarPlus}
            label="mock.calendar.add"
            addedLabel="mock.calendar.added"
            toastTitle="mock.calendar.added"
            className="max-sm:ml-22"
          />
        </li>
      ))}
    </ul>
  );
}

interface DayGridProps {
  view: Exclude<CalendarState["view"], "day">;
  chosen: Day;
  today: Day;
  onChoose: (day: Day) => void;
}

function DayGrid(grid: DayGridProps) {
  const { view, chosen, onChoose } = grid;
  const t = useT();
  const table = useRef<HTMLTableElement>(null);
  const byKey = useRef(false);

  useEffect(() => {
    if (!byKey.current) return;
    byKey.current = false;
    table.current?.querySelector<HTMLElement>(`[data-day="${chosen}"]`)?.focus();
  }, [chosen]);

  function handleKeyDown(event: KeyboardEvent) {
    const next = getDayByKey(event.key, chosen);
    if (next === null) return;
    event.preventDefault();
    byKey.current = true;
    onChoose(next);
  }

  return (
    <table
      ref={table}
      onKeyDown={handleKeyDown}
      aria-label={t(`mock.calendar.${view}`)}
      className="mt-4 w-full table-fixed border-separate border-spacing-0 overflow-hidden rounded-l border border-rule bg-sheet"
    >
      <thead>
        <tr>
          {([0, 1, 2, 3, 4, 5, 6] as const).map((number) => (
            <th
              key={number}
              scope="col"
              className={`px-3 py-2 text-left font-[550] text-xs max-sm:px-0 max-sm:text-center ${number % 6 === 0 ? "text-ink-3" : "text-ink-2"}`}
            >
              {t(`mock.calendar.weekday.${number}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {listWeeks(grid).map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <td key={day} className="border-rule border-t p-0 not-first:border-l">
                <DayCell {...grid} day={day} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type DayCellProps = DayGridProps & { day: Day };

function DayCell({ day, view, chosen, today, onChoose }: DayCellProps) {
  const t = useT();
  const name = formatDay(day, useLanguage(), longDay);
  const lessons = listLessons(useSample(), day);
  const isTall = view === "week";
  const isOutsideMonth = view === "month" && getMonth(day) !== getMonth(chosen);
  const isWeekend = getWeekday(day) % 6 === 0;
  return (
    <button
      type="button"
      data-day={day}
      tabIndex={day === chosen ? 0 : -1}
      aria-pressed={day === chosen}
      aria-current={day === today ? "date" : undefined}
      aria-label={t("mock.calendar.dayWith", { day: name, count: lessons.length })}
      onClick={() => onChoose(day)}
      className={`group flex w-full flex-col items-start gap-1 overflow-hidden p-1.5 text-left transition-colors duration-150 ease-quiet -outline-offset-2 hover:bg-paper-2 aria-pressed:bg-paper-3 max-sm:items-center ${isTall ? "h-40 max-sm:h-16" : "h-20 max-sm:h-14"}`}
    >
      <span
        className={`tabular grid size-6 shrink-0 place-items-center rounded-full text-sm group-aria-[current=date]:bg-ink group-aria-[current=date]:font-semibold group-aria-[current=date]:text-paper ${isOutsideMonth || isWeekend ? "text-ink-3" : "text-ink"} ${isOutsideMonth ? "" : "font-[550]"}`}
      >
        {Number(day.slice(8))}
      </span>
      {lessons.slice(0, isTall ? 4 : 2).map(({ start, title }) => (
        <span
          key={start}
          className={`w-full truncate rounded-[4px] px-1.5 text-xs leading-[1.45] max-sm:hidden ${isOutsideMonth ? "bg-paper-3 text-ink-2" : "bg-jade-wash text-jade"}`}
        >
          {title}
        </span>
      ))}
      {lessons.length > 0 ? (
        <span aria-hidden="true" className="flex gap-1 sm:hidden">
          {lessons.map(({ start }) => (
            <span key={start} className="size-1.5 rounded-full bg-jade" />
          ))}
        </span>
      ) : null}
    </button>
  );
}
