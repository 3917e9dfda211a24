import { useLanguage } from "#client/i18n/bundle.ts";
import type { TextEncoding } from "#client/lib/text-encodings.ts";
import { getLanguageName } from "#shared/languages.ts";
import { Labelled } from "./segments.tsx";
import { Select } from "./select.tsx";

/** What people call it, and some of the languages that are written in it. */
const names: Record<TextEncoding, readonly [name: string, ...languages: string[]]> = {
  "utf-8": ["UTF-8"],
  "utf-16le": ["UTF-16 LE"],
  "utf-16be": ["UTF-16 BE"],
  gb18030: ["GBK, GB18030", "zh-Hans"],
  big5: ["Big5", "zh-Hant"],
  shift_jis: ["Shift_JIS", "ja"],
  "euc-jp": ["EUC-JP", "ja"],
  "euc-kr": ["EUC-KR, CP949", "ko"],
  "windows-1250": ["Windows-1250", "pl", "cs"],
  "windows-1251": ["Windows-1251", "ru", "uk"],
  "windows-1252": ["Windows-1252", "de", "fr", "es"],
  "windows-1253": ["Windows-1253", "el"],
  "windows-1254": ["Windows-1254", "tr"],
  "windows-1255": ["Windows-1255", "he"],
  "windows-1256": ["Windows-1256", "ar"],
  "windows-1257": ["Windows-1257", "lt", "lv"],
  "windows-1258": ["Windows-1258", "vi"],
  "windows-874": ["Windows-874", "th"],
  "koi8-r": ["KOI8-R", "ru"],
  "koi8-u": ["KOI8-U", "uk"],
  ibm866: ["IBM866", "ru"],
  "iso-8859-2": ["ISO-8859-2", "pl", "cs"],
  "iso-8859-5": ["ISO-8859-5", "ru"],
  "iso-8859-7": ["ISO-8859-7", "el"],
  "iso-8859-15": ["ISO-8859-15", "de", "fr", "es"],
};

interface EncodingFieldProps {
  label: string;
  value: TextEncoding;
  others: readonly TextEncoding[];
  onChange: (encoding: TextEncoding) => void;
}

/** In which encoding a file is read. */
export function EncodingField({ label, value, others, onChange }: EncodingFieldProps) {
  const locale = useLanguage();
  const options = [value, ...others].map((encoding) => {
    const [name, ...tags] = names[encoding];
    const languages = tags.map((tag) => getLanguageName(tag, locale));
    const list = new Intl.ListFormat(locale, { type: "unit", style: "short" }).format(languages);
    return { value: encoding, label: list === "" ? name : `${name} · ${list}` };
  });
  return (
    <Labelled label={label}>
      <Select
        label={label}
        value={value}
        options={options}
        className="w-full justify-between"
        onChange={onChange}
      />
    </Labelled>
  );
}
