import { Link } from "@tanstack/react-router";
import { Users } from "lucide-react";
import { api } from "#client/state/queries.tsx";
import { useT } from "./messages/index.ts";

/** The way to what others share with the person; nothing while nobody does. */
export default function SharedLink({ className }: { className: string }) {
  const t = useT();
  const { data } = api.people.shared.useQuery();
  if (!data || data.length === 0) return null;
  return (
    <Link to="/shared" className={className}>
      <Users className="size-4 shrink-0 text-ink-3" />
      {t("shared.title")}
      <span className="tabular ml-auto font-normal text-ink-3 text-xs">{data.length}</span>
    </Link>
  );
}
