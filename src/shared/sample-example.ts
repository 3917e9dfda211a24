import type { TranslationLanguage } from "./languages.ts";

/** One sentence of the sample lecture with its translations, which were written by hand. */
export interface SampleSentence {
  /** 0: the lecturer, 1: a student. */
  speaker: number;
  english: string;
  translations: Readonly<Record<TranslationLanguage, string>>;
}

/** The first sentences of the sample lecture, which an empty recording page shows as an example. */
export const sampleExample: readonly [SampleSentence, ...SampleSentence[]] = [
  {
    speaker: 0,
    english: "Good morning, everyone.",
    translations: {
      es: "Buenos días a todos.",
      zh: "大家早安。",
      "zh-cn": "大家早上好。",
      fr: "Bonjour à tous.",
      de: "Guten Morgen zusammen.",
      ru: "Всем доброе утро.",
      hi: "आप सभी को सुप्रभात।",
      ja: "皆さん、おはようございます。",
      ko: "여러분, 좋은 아침입니다.",
      ar: "صباح الخير جميعًا.",
    },
  },
  {
    speaker: 0,
    english: "Today we ask a simple question.",
    translations: {
      es: "Hoy nos hacemos una pregunta sencilla.",
      zh: "今天我們來問一個簡單的問題。",
      "zh-cn": "今天我们来问一个简单的问题。",
      fr: "Aujourd’hui, nous posons une question simple.",
      de: "Heute stellen wir eine einfache Frage.",
      ru: "Сегодня мы зададим простой вопрос.",
      hi: "आज हम एक सरल प्रश्न पूछेंगे।",
      ja: "今日は一つ、簡単な問いを立ててみましょう。",
      ko: "오늘은 간단한 질문을 하나 던져 보겠습니다.",
      ar: "نطرح اليوم سؤالًا بسيطًا.",
    },
  },
  {
    speaker: 0,
    english: "Why does a cup of coffee cool down, and why does it never warm up again by itself?",
    translations: {
      es: "¿Por qué se enfría una taza de café, y por qué nunca vuelve a calentarse por sí sola?",
      zh: "一杯咖啡為什麼會變涼，又為什麼從來不會自己再熱起來？",
      "zh-cn": "一杯咖啡为什么会变凉，又为什么从来不会自己再热起来？",
      fr: "Pourquoi une tasse de café refroidit-elle, et pourquoi ne se réchauffe-t-elle jamais d’elle-même ?",
      de: "Warum kühlt eine Tasse Kaffee ab, und warum wird sie nie von selbst wieder warm?",
      ru: "Почему чашка кофе остывает и почему она никогда не нагревается сама собой?",
      hi: "कॉफ़ी का प्याला ठंडा क्यों हो जाता है, और वह अपने आप फिर कभी गर्म क्यों नहीं होता?",
      ja: "一杯のコーヒーはなぜ冷めるのか、そしてなぜひとりでに温まることは決してないのでしょうか。",
      ko: "커피 한 잔은 왜 식을까요? 그리고 왜 저절로 다시 따뜻해지는 일은 없을까요?",
      ar: "لماذا يبرد فنجان القهوة، ولماذا لا يسخن من جديد من تلقاء نفسه أبدًا؟",
    },
  },
];
