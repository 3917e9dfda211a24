import { useT } from "./messages/index.ts";

/** Who has written a row's text last, of a lecture that several people correct. */
export default function RowAuthor({ name }: { name: string }) {
  const t = useT();
  return (
    <p
      data-row-author
      className="fades mt-0.5 font-ui text-ink-3 text-xs wrap-anywhere columns:col-start-2 columns:-col-end-1"
    >
      {t("author.corrected", { name })}
    </p>
  );
}
