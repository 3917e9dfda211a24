import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { createActions, openSession } from "#client/features/recording/open-session.ts";
import { SharedLectureScreen } from "#client/features/together/shared-lecture-screen.tsx";
import { useValue } from "#client/lib/hooks.ts";
import { getVisitorId, type Visitor, visitor } from "#client/state/visitor.ts";

/** Another person's lecture, which this tab's session keeps open and saves. */
export default function SharedLecture({ id }: { id: string }) {
  const who = useValue(visitor);
  return who.kind === "user" ? <OfVisitor key={getVisitorId(who)} who={who} id={id} /> : null;
}

function OfVisitor({ who, id }: { who: Extract<Visitor, { kind: "user" }>; id: string }) {
  const router = useRouter();
  const [session] = useState(() => openSession(who, createActions(router)));
  return <SharedLectureScreen session={session} id={id} />;
}
