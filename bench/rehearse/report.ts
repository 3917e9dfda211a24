import type { Difference, Exchange } from "./exchange.ts";

export interface Rehearsal {
  service: string;
  /** Why it was not asked, or what failed; null: it was. */
  skipped: string | null;
  /** It was to be asked, and that was not possible. */
  hasFailed?: true;
  exchanges: readonly Exchange[];
  differences: readonly Difference[];
}

const toRow = (cells: readonly (string | number)[]) =>
  `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
const toTable = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) => [
  toRow(head),
  toRow(head.map(() => "---")),
  ...rows.map(toRow),
];

/** Differences that a stand-in should follow: not those that it leaves out. */
export const selectWrong = (differences: readonly Difference[]): Difference[] =>
  differences.filter(({ kind }) => kind !== "additional");

/** The report in Markdown. */
export function formatReport(
  rehearsals: readonly Rehearsal[],
  { date, sound }: { date: string; sound: string },
): string {
  const parts = rehearsals.map(({ service, skipped, exchanges, differences }) => {
    if (skipped !== null) return [`## ${service}`, "", `Skipped: ${skipped}.`, ""];
    const wrong = selectWrong(differences);
    const additional = differences.filter(({ kind }) => kind === "additional");
    const rows = exchanges.map(({ name, order, facts, times }) => [
      name,
      order.join(", "),
      facts["the adapter reads"] === undefined ? "" : String(facts["the adapter reads"]),
      Object.entries(times)
        .map(([what, value]) => `${what}: ${value}`)
        .join("; "),
    ]);
    return [
      `## ${service}`,
      "",
      wrong.length === 0
        ? "It answers as its stand-in does."
        : `${wrong.length} difference${wrong.length === 1 ? "" : "s"} between the service and its stand-in:`,
      "",
      ...(wrong.length === 0
        ? []
        : [
            ...toTable(
              ["asked", "what differs", "", "stand-in", "service"],
              wrong.map((one) => [one.exchange, one.kind, one.subject, one.standIn, one.service]),
            ),
            "",
          ]),
      ...(additional.length === 0
        ? []
        : [
            "Fields that the stand-in leaves out: " +
              `${[...new Set(additional.map(({ subject }) => subject))].join(", ")}.`,
            "",
          ]),
      ...toTable(["asked", "answers", "the adapter reads", "times and counts"], rows),
      "",
    ];
  });
  return [`# Rehearsal of ${date}`, "", `Sound: ${sound}.`, "", ...parts.flat()].join("\n");
}
