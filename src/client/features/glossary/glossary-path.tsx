import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { Fragment } from "react";
import type { FolderNode } from "#client/state/library/folder-tree.ts";
import { useT } from "./messages/index.ts";

const linkClass =
  "touch-target inline-flex min-w-0 items-center underline decoration-rule underline-offset-3 transition-colors duration-150 ease-quiet hover:text-ink hover:decoration-current";

/** The folders from the whole library down to the glossary's, each with the way to its glossary. */
export function GlossaryPath({ folders }: { folders: readonly FolderNode[] }) {
  const t = useT();
  const parts = [{ id: null, name: t("glossary.root") }, ...folders];
  return (
    <nav aria-label={t("glossary.path")} className="mb-1.5">
      <ol className="flex flex-wrap items-center gap-x-1.5 text-ink-3">
        {parts.map(({ id, name }, index) => (
          <Fragment key={id}>
            {index > 0 ? (
              <li aria-hidden="true">
                <ChevronRight className="size-3.5" />
              </li>
            ) : null}
            <li dir="auto" className="min-w-0 wrap-anywhere">
              {index === parts.length - 1 ? (
                <span aria-current="page" className="font-[550] text-ink">
                  {name}
                </span>
              ) : (
                <Link
                  to="/glossary"
                  search={id === null ? {} : { folder: id }}
                  className={linkClass}
                >
                  {name}
                </Link>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}
