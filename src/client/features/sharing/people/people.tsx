import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Failure, useAttempt } from "#client/features/sharing/attempt.tsx";
import { toApiError } from "#client/lib/call-server.ts";
import { useValue } from "#client/lib/hooks.ts";
import { toast } from "#client/lib/notifications.ts";
import { api } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import { visitor } from "#client/state/visitor.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import { LoadFailure } from "#client/ui/placeholder.tsx";
import { Labelled } from "#client/ui/segments.tsx";
import { Select } from "#client/ui/select.tsx";
import { LoadingSkeleton, Skeleton } from "#client/ui/skeleton.tsx";
import { TextButton } from "#client/ui/text-button.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { lectureMembersMax, type MemberRole, memberRoles } from "#shared/people.ts";
import { useT } from "./messages/index.ts";

/** The people with whom a lecture is shared by name, and a form that invites one more. */
export default function People({ lectureId }: { lectureId: string }) {
  const t = useT();
  const who = useValue(visitor);
  const people = api.people.list.useQuery({ lectureId });
  const { busy, failure, attempt } = useAttempt();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<MemberRole>("corrects");
  const [problem, setProblem] = useState<string | null>(null);
  const [note, setNote] = useState("");
  const roles = memberRoles.map((value) => ({ value, label: t(`people.${value}`) }));
  const user = who.kind === "user" ? who.user : null;

  async function invite(event: FormEvent) {
    event.preventDefault();
    setNote("");
    const address = email.trim();
    const isOwn = address.toLowerCase() === user?.email;
    setProblem(isOwn ? t("people.own") : null);
    if (isOwn || address === "") return;
    await attempt(async () => {
      try {
        const { mailSent } = await trpc.people.invite.mutate({ lectureId, email: address, role });
        setEmail("");
        setNote(t(mailSent ? "people.invited" : "people.notSent"));
      } catch (error) {
        if (toApiError(error).code !== "conflict") throw error;
        setProblem(t("people.full", { count: lectureMembersMax }));
      }
      await people.refetch();
    });
  }

  const change = (address: string, next: MemberRole) =>
    attempt(async () => {
      await trpc.people.change.mutate({ lectureId, email: address, role: next });
      await people.refetch();
    });

  const remove = (address: string | null) =>
    attempt(async () => {
      await trpc.people.remove.mutate({ lectureId, email: address });
      await people.refetch();
      toast({ kind: "success", title: t("people.removed") });
    });

  if (people.isError) return <LoadFailure text={t("people.failed")} onRetry={people.refetch} />;
  if (!people.data)
    return (
      <LoadingSkeleton>
        <Skeleton className="h-16" />
      </LoadingSkeleton>
    );
  return (
    <div className="grid gap-3">
      <p className="text-pretty text-ink-3 text-sm">{t("people.text")}</p>
      {people.data.length > 0 ? (
        <ul aria-label={t("people.title")} className="grid gap-1">
          {people.data.map((member) => (
            <li
              key={member.email}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-rule border-b pb-1"
            >
              <bdi className="min-w-40 flex-1 wrap-anywhere">{member.email}</bdi>
              <div className="flex items-center gap-1">
                <Select
                  label={t("people.roleOf", { email: member.email })}
                  value={member.role}
                  options={roles}
                  onChange={(next) => void change(member.email, next)}
                />
                <IconButton
                  icon={X}
                  label={t("people.remove", { email: member.email })}
                  disabled={busy}
                  onClick={() => void remove(member.email)}
                  className="size-8"
                />
              </div>
            </li>
          ))}
        </ul>
      ) : null}
      {people.data.length > 1 ? (
        <TextButton
          disabled={busy}
          onClick={() => void remove(null)}
          className="touch-target justify-self-start text-ink-2 text-sm hover:text-ink"
        >
          {t("people.removeAll")}
        </TextButton>
      ) : null}
      {user?.emailVerified ? (
        <form
          onSubmit={(event) => void invite(event)}
          className="grid items-end gap-3 min-[30rem]:grid-cols-[minmax(0,1fr)_auto]"
        >
          <TextField
            label={t("people.email")}
            type="email"
            name="email"
            autoComplete="off"
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Labelled label={t("people.role")}>
            <Select label={t("people.role")} value={role} options={roles} onChange={setRole} />
          </Labelled>
          <Button type="submit" look="ink" disabled={busy} className="justify-self-start">
            {t("people.invite")}
          </Button>
        </form>
      ) : (
        <p className="text-pretty text-ink-2">{t("people.unconfirmed")}</p>
      )}
      <Failure text={problem ?? failure} />
      <p role="status" className="text-ink-2 text-sm empty:hidden">
        {note}
      </p>
    </div>
  );
}
