import { useLanguage } from "#client/i18n/bundle.ts";
import { useTargetName } from "#client/i18n/language-names.ts";
import {
  getLanguageName,
  getTranslationTag,
  type SourceLanguage,
  type SpokenLanguage,
  spokenLanguages,
  type TargetLanguage,
  toTranslationLanguage,
  translationLanguages,
} from "#shared/languages.ts";
import { LanguageSelect } from "./language-select.tsx";
import { Labelled } from "./segments.tsx";
import { selectClass } from "./select-props.ts";

interface FieldProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
}

const className = `${selectClass} w-full justify-between`;
const toTag = (language: SpokenLanguage): string => language;

interface SpokenFieldProps extends FieldProps<SpokenLanguage> {
  languages?: readonly SpokenLanguage[];
}

/** Which language something is spoken in. */
export function SpokenField(props: SpokenFieldProps) {
  const text = getLanguageName(props.value, useLanguage());
  return (
    <Labelled label={props.label}>
      <LanguageSelect
        languages={spokenLanguages}
        {...props}
        text={text}
        toTag={toTag}
        className={className}
      />
    </Labelled>
  );
}

interface SourceFieldProps extends FieldProps<SourceLanguage> {
  /** Names the choice that the language is detected. */
  detectLabel: string;
}

/** Which language is recognised in a sound. */
export function SourceField({ detectLabel, ...props }: SourceFieldProps) {
  const locale = useLanguage();
  const text = props.value === "detect" ? detectLabel : getLanguageName(props.value, locale);
  return (
    <Labelled label={props.label}>
      <LanguageSelect<SourceLanguage>
        {...props}
        text={text}
        className={className}
        languages={spokenLanguages}
        toTag={(language) => language}
        first={[{ value: "detect", label: detectLabel }]}
      />
    </Labelled>
  );
}

interface TargetFieldProps extends FieldProps<TargetLanguage> {
  /** What is spoken: nothing is translated into it. */
  spoken: SourceLanguage;
}

/** Which language something is translated into, or none. */
export function TargetField({ spoken, ...props }: TargetFieldProps) {
  const nameTarget = useTargetName();
  return (
    <Labelled label={props.label}>
      <LanguageSelect<TargetLanguage>
        {...props}
        className={className}
        text={nameTarget(props.value)}
        languages={translationLanguages}
        toTag={getTranslationTag}
        first={[{ value: "none", label: nameTarget("none") }]}
        {...(spoken !== "detect" && { spoken: toTranslationLanguage(spoken) })}
      />
    </Labelled>
  );
}
