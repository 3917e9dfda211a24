/** What a summary is written for; `own`: by the person's own instructions, which are in their profile. */
export const summaryTemplates = ["lecture", "seminar", "meeting", "own"] as const;
export type SummaryTemplate = (typeof summaryTemplates)[number];
