import * as z from "zod/mini";

/** What a person may do with a lecture that is shared with them by name: read it, or also correct and mark. */
export const memberRoles = ["reads", "corrects"] as const;
export type MemberRole = (typeof memberRoles)[number];

/** People with whom one lecture is shared by name. */
export const lectureMembersMax = 20;
/** Lectures on the page of what others have shared, the newest ones. */
export const sharedLecturesMax = 500;

const lectureId = z.uuid();
const email = z.string().check(z.trim(), z.maxLength(254), z.email());

export const inviteInput = z.object({ lectureId, email, role: z.enum(memberRoles) });
export const removeInput = z.object({
  lectureId,
  /** Null: everybody. */
  email: z.nullable(email),
});

/** A person whom the owner has given access. Whether they have an account is not told. */
export interface LectureMember {
  email: string;
  role: MemberRole;
}

/** Another person's lecture. `owner`: the name that the page shows. */
export interface LectureAccess {
  role: MemberRole;
  owner: string;
}

/** A lecture that another person shares with the caller. */
export interface SharedLecture extends LectureAccess {
  id: string;
  title: string;
  /** ISO 8601. */
  createdAt: string;
  excerpt: string;
  /** Recorded seconds. */
  usedTime: number;
}
