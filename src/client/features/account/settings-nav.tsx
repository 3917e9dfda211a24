import { useEffect, useRef, useState } from "react";
import { useT } from "./messages/index.ts";

const sections = ["languages", "sound", "speech", "storage", "account", "programs"] as const;
type SectionId = (typeof sections)[number];

/** The section that is read: the last one that begins in the upper part of the window. */
function useCurrentSection(): SectionId {
  const [current, setCurrent] = useState<SectionId>("languages");
  useEffect(() => {
    const update = () => {
      const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
      const begun = sections.filter((id) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top < innerHeight / 3;
      });
      setCurrent((isAtEnd && scrollY > 0 ? sections.at(-1) : begun.at(-1)) ?? "languages");
    };
    addEventListener("scroll", update, { passive: true });
    return () => removeEventListener("scroll", update);
  }, []);
  return current;
}

/** Links to the sections of the settings: beside them, and on a phone a row above them that stays. */
export function SettingsNav() {
  const t = useT();
  const current = useCurrentSection();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>(`a[href="#${current}"]`);
    // The row may be wider than the window. Not by `scrollIntoView`, which would move the page too.
    if (nav.current && link)
      nav.current.scrollLeft = link.offsetLeft - (nav.current.clientWidth - link.offsetWidth) / 2;
  }, [current]);
  return (
    <nav
      ref={nav}
      aria-label={t("profile.title")}
      className="sticky top-0 z-1 book:top-6 max-book:-mx-(--page-edge) max-book:overflow-x-auto max-book:border-rule max-book:border-b max-book:bg-paper max-book:px-(--page-edge) max-book:[scrollbar-width:none]"
    >
      <ul className="flex book:flex-col book:gap-0.5">
        {sections.map((id) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? "true" : undefined}
              className="touch-target flex min-h-9 items-center whitespace-nowrap px-3 text-ink-2 transition-colors duration-150 ease-quiet hover:text-ink aria-[current]:font-semibold aria-[current]:text-ink book:-ml-3 book:rounded-s book:aria-[current]:bg-paper-3 max-book:min-h-11 max-book:aria-[current]:shadow-[inset_0_-2px_var(--ink)]"
            >
              {t(`settings.${id}`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
