import { speakerNameMaxLength, speakerNamesMax } from "../../shared/limits.ts";

export type SpeakerNames = Readonly<Record<string, string>>;

/** `names` with `name` for speaker `label`, or without one when it is blank; the same object when nothing changes. */
export function renamed(names: SpeakerNames, label: string, name: string): SpeakerNames {
  const next = name.replaceAll("\0", "").trim().slice(0, speakerNameMaxLength).trim();
  const known = Object.hasOwn(names, label) ? names[label] : undefined;
  if (next === (known ?? "")) return names;
  if (next === "") {
    return Object.fromEntries(Object.entries(names).filter(([other]) => other !== label));
  }
  if (label === "" || (known === undefined && Object.keys(names).length >= speakerNamesMax)) {
    return names;
  }
  return { ...names, [label]: next };
}
