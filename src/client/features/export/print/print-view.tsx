import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Printer } from "lucide-react";
import { useEffect, useMemo } from "react";
import { toExportedLecture } from "#client/features/export/exported-lecture.ts";
import { useT } from "#client/i18n/print/index.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { mayHaveFormula, writeFormula } from "#client/lib/formulas.ts";
import { useTitle } from "#client/lib/title.ts";
import { isNotFound, lectureQuery } from "#client/state/library/cache.ts";
import { glossaryQuery } from "#client/state/library/glossary.ts";
import { describeLoadFailure } from "#client/state/library/load-failure.ts";
import { api } from "#client/state/queries.tsx";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { useTypesetting } from "#client/ui/formula.tsx";
import { LectureSkeleton } from "#client/ui/loading.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { resolveTerms } from "#shared/glossary.ts";
import { type PrintSearch, parsePrintSearch } from "./print-search.ts";
import { PrintedLecture } from "./printed-lecture.tsx";

export default function PrintView({ search }: { search: Partial<PrintSearch> }) {
  const t = useT();
  const options = parsePrintSearch({ ...search });
  const query = useQuery({ ...lectureQuery(options.lecture), enabled: options.lecture !== "" });
  const untitled = t("home.untitled");
  const glossary = useQuery({
    ...glossaryQuery(query.data?.folderId ?? null),
    enabled: options.terms && query.data !== undefined,
  });
  const slides = api.slides.list.useQuery(
    { lectureId: options.lecture },
    { enabled: options.slides && query.data !== undefined },
  );
  // Without the glossary and the slides the lecture is printed all the same.
  const isWaiting =
    (options.terms && glossary.isPending && !glossary.isError) ||
    (options.slides && slides.isPending && !slides.isError);
  const lecture = useMemo(
    () =>
      query.data && !isWaiting
        ? toExportedLecture(
            query.data,
            untitled,
            glossary.data && resolveTerms(glossary.data),
            slides.data?.flatMap((slide) =>
              slide.hasPictures ? [{ ...slide, picture: null }] : [],
            ),
          )
        : null,
    [query.data, untitled, isWaiting, glossary.data, slides.data],
  );
  // Browsers suggest the title as the name of the PDF.
  useTitle(lecture?.title ?? t("title.print"));
  const hasFormula = useMemo(
    () =>
      lecture !== null &&
      mayHaveFormula(
        [
          lecture.summary,
          ...lecture.rows.flatMap(({ original, translated, formulas = [], marks }) => [
            original,
            translated,
            ...formulas.map(({ tex }) => writeFormula(tex)),
            ...marks,
          ]),
        ].join("\n"),
      ),
    [lecture],
  );
  const isTypeset = useTypesetting(hasFormula);
  const ready = lecture !== null && isTypeset;
  useEffect(() => {
    if (!ready) return;
    let isGone = false;
    // One that cannot be loaded is missing in print.
    const pictures = Array.from(document.querySelectorAll<HTMLImageElement>(".printed img"));
    let frame = 0;
    const print = () => {
      // The frame delays the print dialog of a background tab until it is visible.
      if (!isGone) frame = requestAnimationFrame(() => window.print());
    };
    if (pictures.length === 0) print();
    else void Promise.allSettled(pictures.map((picture) => picture.decode())).then(print);
    return () => {
      isGone = true;
      cancelAnimationFrame(frame);
    };
  }, [ready]);

  if (ready)
    return (
      <>
        <PrintToolbar lectureId={options.lecture} />
        <PrintedLecture lecture={lecture} options={options} />
      </>
    );
  if (query.isFetching || lecture || (query.data && isWaiting)) return <LectureSkeleton />;
  // Without an id there is none.
  const failure = query.error ?? new ApiError("not_found", false);
  return (
    <Placeholder role="alert" {...describeLoadFailure(failure)}>
      {isNotFound(failure) ? null : (
        <Button onClick={() => void query.refetch()}>{t("common.retry")}</Button>
      )}
    </Placeholder>
  );
}

function PrintToolbar({ lectureId }: { lectureId: string }) {
  const t = useT();
  return (
    <div className="mb-7 grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link
          to="/record"
          search={{ lecture: lectureId }}
          className={`${getButtonClass({ look: "quiet" })} -ml-4 max-sm:pr-2`}
        >
          <ArrowLeft className="size-4" />
          {t("print.back")}
        </Link>
        <Button look="ink" onClick={() => window.print()}>
          <Printer className="size-4" />
          {t("print.print")}
        </Button>
      </div>
      <p className="text-ink-3 text-sm">{t("print.hint")}</p>
    </div>
  );
}
