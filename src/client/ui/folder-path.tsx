import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { Fragment } from "react";

const linkClass =
  "touch-target inline-flex min-w-0 items-center underline decoration-rule underline-offset-3 transition-colors duration-150 ease-quiet hover:text-ink hover:decoration-current";

interface FolderPathProps {
  label: string;
  /** The page that each folder has. */
  to: "/glossary";
  /** From the whole library, whose id is null, down to the page's folder. */
  folders: readonly { id: string | null; name: string }[];
}

/** The folders from the whole library down to the page's, each with the way to its page. */
export function FolderPath({ label, to, folders }: FolderPathProps) {
  return (
    <nav aria-label={label} className="mb-1.5">
      <ol className="flex flex-wrap items-center gap-x-1.5 text-ink-3">
        {folders.map(({ id, name }, index) => (
          <Fragment key={id}>
            {index > 0 ? (
              <li aria-hidden="true">
                <ChevronRight className="size-3.5" />
              </li>
            ) : null}
            <li dir="auto" className="min-w-0 wrap-anywhere">
              {index === folders.length - 1 ? (
                <span aria-current="page" className="font-[550] text-ink">
                  {name}
                </span>
              ) : (
                <Link to={to} search={id === null ? {} : { folder: id }} className={linkClass}>
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
