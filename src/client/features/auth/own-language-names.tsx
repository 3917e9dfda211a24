import {
  getTextLanguage,
  getTranslationTag,
  spokenLanguages,
  type TranslationLanguage,
} from "#shared/languages.ts";

/** Each language's own name, in the order of `spokenLanguages`. The browser's own table takes a phone 100 ms. */
const ownNames: Record<TranslationLanguage, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  it: "Italiano",
  pt: "Português",
  ru: "Русский",
  ja: "日本語",
  "zh-cn": "简体中文",
  zh: "繁體中文",
  ko: "한국어",
  ar: "العربية",
  hi: "हिन्दी",
  af: "Afrikaans",
  az: "Azərbaycan",
  be: "Беларуская",
  bg: "Български",
  bn: "বাংলা",
  bs: "Bosanski",
  ca: "Català",
  cs: "Čeština",
  cy: "Cymraeg",
  da: "Dansk",
  el: "Ελληνικά",
  et: "Eesti",
  eu: "Euskara",
  fa: "فارسی",
  fi: "Suomi",
  gl: "Galego",
  gu: "ગુજરાતી",
  he: "עברית",
  hr: "Hrvatski",
  hu: "Magyar",
  id: "Indonesia",
  kk: "Қазақ тілі",
  kn: "ಕನ್ನಡ",
  lt: "Lietuvių",
  lv: "Latviešu",
  mk: "Македонски",
  ml: "മലയാളം",
  mr: "मराठी",
  ms: "Melayu",
  nl: "Nederlands",
  no: "Norsk",
  pa: "ਪੰਜਾਬੀ",
  pl: "Polski",
  ro: "Română",
  sk: "Slovenčina",
  sl: "Slovenščina",
  sq: "Shqip",
  sr: "Српски",
  sv: "Svenska",
  sw: "Kiswahili",
  ta: "தமிழ்",
  te: "తెలుగు",
  th: "ไทย",
  tl: "Filipino",
  tr: "Türkçe",
  uk: "Українська",
  ur: "اردو",
  vi: "Tiếng Việt",
};

/** Chinese, which is spoken in one way and written in two, is one of them. */
export const languageCount = spokenLanguages.length;

export const OwnLanguageNames = () => (
  <ul className="flex flex-wrap gap-x-3.5 gap-y-0.5 text-ink-2 text-md leading-[1.75]">
    {(Object.keys(ownNames) as TranslationLanguage[]).map((language) => (
      <li key={language} {...getTextLanguage(getTranslationTag(language))}>
        {ownNames[language]}
      </li>
    ))}
  </ul>
);
