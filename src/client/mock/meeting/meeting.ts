/** `public`: anyone in the workspace; `private`: whoever is invited. */
export type Permission = "public" | "private";

export interface Meeting {
  name: string;
  /** Of whoever is invited; may be empty. */
  inviteEmail: string;
  permission: Permission;
}

export const blankMeeting: Meeting = { name: "", inviteEmail: "", permission: "public" };

/** `meeting` without blanks round its texts; null where it has no name. */
export function madeMeeting(meeting: Meeting): Meeting | null {
  const name = meeting.name.trim();
  return name ? { ...meeting, name, inviteEmail: meeting.inviteEmail.trim() } : null;
}
