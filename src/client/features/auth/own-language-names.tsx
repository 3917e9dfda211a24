/**
 * The own names of the languages in which lectures are spoken and read, in the order of `spokenLanguages`, by their tags.
 * The browser's own table takes a phone 100 ms, and this one is all that the first page needs to know of languages.
 */
export const ownNames: readonly (readonly [tag: string, name: string])[] = [
  ["en", "English"],
  ["de", "Deutsch"],
  ["fr", "Français"],
  ["es", "Español"],
  ["it", "Italiano"],
  ["pt", "Português"],
  ["ru", "Русский"],
  ["ja", "日本語"],
  ["zh-Hans", "简体中文"],
  ["zh-Hant", "繁體中文"],
  ["ko", "한국어"],
  ["ar", "العربية"],
  ["hi", "हिन्दी"],
  ["af", "Afrikaans"],
  ["az", "Azərbaycan"],
  ["be", "Беларуская"],
  ["bg", "Български"],
  ["bn", "বাংলা"],
  ["bs", "Bosanski"],
  ["ca", "Català"],
  ["cs", "Čeština"],
  ["cy", "Cymraeg"],
  ["da", "Dansk"],
  ["el", "Ελληνικά"],
  ["et", "Eesti"],
  ["eu", "Euskara"],
  ["fa", "فارسی"],
  ["fi", "Suomi"],
  ["gl", "Galego"],
  ["gu", "ગુજરાતી"],
  ["he", "עברית"],
  ["hr", "Hrvatski"],
  ["hu", "Magyar"],
  ["id", "Indonesia"],
  ["kk", "Қазақ тілі"],
  ["kn", "ಕನ್ನಡ"],
  ["lt", "Lietuvių"],
  ["lv", "Latviešu"],
  ["mk", "Македонски"],
  ["ml", "മലയാളം"],
  ["mr", "मराठी"],
  ["ms", "Melayu"],
  ["nl", "Nederlands"],
  ["no", "Norsk"],
  ["pa", "ਪੰਜਾਬੀ"],
  ["pl", "Polski"],
  ["ro", "Română"],
  ["sk", "Slovenčina"],
  ["sl", "Slovenščina"],
  ["sq", "Shqip"],
  ["sr", "Српски"],
  ["sv", "Svenska"],
  ["sw", "Kiswahili"],
  ["ta", "தமிழ்"],
  ["te", "తెలుగు"],
  ["th", "ไทย"],
  ["tl", "Filipino"],
  ["tr", "Türkçe"],
  ["uk", "Українська"],
  ["ur", "اردو"],
  ["vi", "Tiếng Việt"],
];

/** Chinese, which is spoken in one way and written in two, is one of them. */
export const languageCount = ownNames.length - 1;

const rightToLeft: readonly string[] = ["ar", "fa", "he", "ur"];

export const OwnLanguageNames = () => (
  <ul className="flex flex-wrap gap-x-3.5 gap-y-0.5 text-ink-2 text-md leading-[1.75]">
    {ownNames.map(([tag, name]) => (
      <li key={tag} lang={tag} dir={rightToLeft.includes(tag) ? "rtl" : "ltr"}>
        {name}
      </li>
    ))}
  </ul>
);
