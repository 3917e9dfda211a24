import { Search, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { useT } from "#client/i18n/library/index.ts";
import { useDebouncedInput } from "#client/lib/use-debounced-input.ts";
import { IconButton } from "#client/ui/button.tsx";
import { searchQueryMaxLength } from "#shared/limits.ts";

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** Full-text search. The key `/` focuses it from anywhere on the page. */
export function SearchField({ value, onChange }: SearchFieldProps) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const search = useDebouncedInput(value, onChange);
  useSlash(() => {
    input.current?.focus();
    input.current?.select();
  });
  return (
    <search className="relative block min-w-0 grow">
      <Search
        className="pointer-events-none absolute top-1/2 left-3.5 size-4.5 -translate-y-1/2 text-ink-3"
        aria-hidden="true"
      />
      <input
        ref={input}
        type="search"
        aria-label={t("search.label")}
        placeholder={t("search.placeholder")}
        maxLength={searchQueryMaxLength}
        autoComplete="off"
        spellCheck={false}
        aria-keyshortcuts="/"
        {...search.field}
        className="peer h-10 w-full rounded-full border border-rule-control text-ellipsis bg-sheet touch-target pr-3.5 not-placeholder-shown:pr-11 pl-10.5 sm:pr-11 text-md transition-colors duration-150 ease-quiet hover:border-rule-strong [&::-webkit-search-cancel-button]:hidden"
      />
      {search.text === "" ? (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-3.5 grid size-5.5 -translate-y-1/2 place-items-center rounded-[5px] border border-rule text-ink-3 text-xs peer-focus:hidden max-sm:hidden pointer-coarse:hidden"
        >
          /
        </span>
      ) : (
        <IconButton
          label={t("search.clear")}
          className="absolute top-1/2 right-1 -translate-y-1/2 rounded-full"
          onClick={() => {
            search.set("");
            input.current?.focus();
          }}
        >
          <X className="size-4" aria-hidden="true" />
        </IconButton>
      )}
    </search>
  );
}

const popups = "[role=menu],[role=listbox],[role=alertdialog],[role=dialog]";
const fields = "input, textarea, select, [contenteditable], [role=combobox]";

/** Calls `run` for the key `/`, unless it is typed into a field or a popup is open. */
function useSlash(run: () => void): void {
  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "/" || event.defaultPrevented || event.repeat) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.matches(fields)) return;
    if ([...document.querySelectorAll(popups)].some((popup) => !popup.closest("[data-closed]")))
      return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    window.addEventListener("keydown", handleKeyDown);
    return () => window.removeEventListener("keydown", handleKeyDown);
  }, []);
}
