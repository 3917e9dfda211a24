import { type KeyboardEvent, useEffect, useRef } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { sampleLanguage } from "#client/features/mock/sample.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import {
  type CalendarView,
  type Day,
  formatLongDay,
  getDayByKey,
  getMonth,
  getWeekday,
} from "./calendar.ts";
import { listLessons } from "./sample.ts";

interface DayGridProps {
  weeks: Day[][];
  view: Exclude<CalendarView, "day">;
  chosen: Day;
  today: Day;
  onChoose: (day: Day) => void;
}

const weekdays = [0, 1, 2, 3, 4, 5, 6] as const;

export function DayGrid({ weeks, ...grid }: DayGridProps) {
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
          {weekdays.map((number) => (
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
        {weeks.map((week) => (
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

type DayCellProps = Omit<DayGridProps, "weeks"> & { day: Day };

function DayCell({ day, view, chosen, today, onChoose }: DayCellProps) {
  const t = useT();
  const name = formatLongDay(day, useLanguage());
  const lessons = listLessons(day);
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
      {lessons.slice(0, isTall ? 4 : 2).map(({ id, title }) => (
        <span
          key={id}
          lang={sampleLanguage}
          className={`w-full truncate rounded-[4px] px-1.5 text-xs leading-[1.45] max-sm:hidden ${isOutsideMonth ? "bg-paper-3 text-ink-2" : "bg-jade-wash text-jade"}`}
        >
          {title}
        </span>
      ))}
      {lessons.length > 0 ? (
        <span aria-hidden="true" className="flex gap-1 sm:hidden">
          {lessons.map(({ id }) => (
            <span key={id} className="size-1.5 rounded-full bg-jade" />
          ))}
        </span>
      ) : null}
    </button>
  );
}
