import { Suspense, useState } from "react";
import { LaterSections } from "#client/features/account/later-sections.tsx";
import { fileMessages, useT } from "#client/i18n/export-import/index.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { Button } from "#client/ui/button.tsx";

const ExportDialog = lazyPart(
  () => import("#client/features/export/export-dialog.tsx"),
  fileMessages,
);

/** The sections of the profile that can wait for the first paint. */
export default function ProfileLater() {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <LaterSections />
      <section className="grid justify-items-start gap-x-6 gap-y-3 border-rule border-t py-5 sm:flex sm:items-center sm:justify-between">
        <div className="min-w-0 max-w-[44ch]">
          <h2 className="font-medium">{t("export.titleAll")}</h2>
          <p className="text-ink-3 text-sm">{t("export.allHint")}</p>
        </div>
        <Button onClick={() => setOpen(true)}>{t("export.titleAll")}</Button>
      </section>
      {isOpen ? (
        <Suspense>
          <ExportDialog target={{ kind: "everything" }} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
