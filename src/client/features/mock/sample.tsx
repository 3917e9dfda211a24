import { Check, type LucideIcon, Search } from "lucide-react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useValue } from "#client/lib/hooks.ts";
import { type ToastMessage, toast } from "#client/lib/notifications.ts";
import { Signal } from "#client/lib/observable.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import { Segments } from "#client/ui/segments.tsx";
import { type MessageKey, useT } from "./messages/index.ts";
import en from "./sample.en.json";
import zh from "./sample.zh.json";

const samples = { en, zh };

/** The sample texts in the interface's language. */
export const useSample = () => samples[useLanguage()];

/** Shows a toast that names what a button would do and says that it is a sample. */
export function useNotifySample() {
  const t = useT();
  return (label: MessageKey, kind: ToastMessage["kind"] = "info") =>
    toast({ kind, title: t(label), description: t("mock.sample.text") });
}

/** A button without function: it says what it would do. */
export function SampleIconButton({ label, Icon }: { label: MessageKey; Icon: LucideIcon }) {
  const t = useT();
  const notifySample = useNotifySample();
  return (
    <IconButton
      icon={Icon}
      iconClass="size-4.5"
      label={t(label)}
      onClick={() => notifySample(label)}
    />
  );
}

/** The ids of the lessons that were added and the courses that were joined, until the page is reloaded. */
const addedIds = new Signal<ReadonlySet<string>>(new Set());

interface AddButtonProps {
  id: string;
  /** The id of the element that names what is added. */
  describedBy: string;
  label: MessageKey;
  addedLabel: MessageKey;
}

/** A button that can be pressed once. */
export function AddButton({ id, describedBy, label, addedLabel }: AddButtonProps) {
  const t = useT();
  const notifySample = useNotifySample();
  const ids = useValue(addedIds);
  const isAdded = ids.has(id);

  function add() {
    addedIds.set(new Set([...ids, id]));
    notifySample(addedLabel, "success");
  }

  return (
    <Button size="small" disabled={isAdded} aria-describedby={describedBy} onClick={add}>
      {isAdded ? <Check className="size-4 text-jade" /> : null}
      {t(isAdded ? addedLabel : label)}
    </Button>
  );
}

type WithoutPrefix<K> = K extends `mock.choice.${infer Value}` ? Value : never;

interface ChoiceProps<T> {
  label: MessageKey;
  value: T;
  values: readonly T[];
  onChange: (value: T) => void;
}

/** A choice among values that have a message each. */
export function Choice<T extends WithoutPrefix<MessageKey>>(props: ChoiceProps<T>) {
  const { label, value, values, onChange } = props;
  const t = useT();
  const options = values.map((value) => ({ value, label: t(`mock.choice.${value}`) }));
  return <Segments label={t(label)} value={value} options={options} onChange={onChange} />;
}

interface SearchFieldProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}

export function SearchField({ label, placeholder = label, value, onChange }: SearchFieldProps) {
  return (
    <div className="relative">
      <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-3" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 w-full min-w-0 text-ellipsis rounded-m border border-rule-control bg-sheet pr-3 pl-9 text-ink text-sm transition-colors duration-150 ease-quiet hover:border-rule-strong pointer-coarse:h-11"
      />
    </div>
  );
}
