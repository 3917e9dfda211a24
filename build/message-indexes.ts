import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// Writes the module of each message bundle, `index.ts` beside its texts, whenever it is imported: git does not keep
// these modules. They are files so that the compiler checks each key.

/**
 * The bundles: by folder in `src/client`, the bundle's name, and the folder of another one whose messages are loaded
 * with it.
 */
const bundles: Record<string, [name: string, base?: string]> = {
  i18n: ["commonMessages"],
  "i18n/export-import": ["fileMessages", "i18n/print"],
  "i18n/forms": ["formMessages", "i18n"],
  "i18n/gaps": ["gapMessages"],
  "i18n/in-app": ["inAppMessages"],
  "i18n/languages": ["languageMessages"],
  "i18n/library": ["libraryMessages", "i18n"],
  "i18n/offline": ["offlineMessages", "i18n"],
  "i18n/print": ["printMessages", "i18n/library"],
  "i18n/sign-out": ["signOutMessages", "i18n"],
  "i18n/sound": ["soundMessages", "i18n"],
  "reading/messages": ["readingMessages", "i18n"],
  "reading/dialog-messages": ["readingDialogMessages", "reading/messages"],
  "reading/recording-messages": ["recordingDetailsMessages", "i18n/gaps"],
  "reading/author/messages": ["authorMessages"],
  "reading/again-messages": ["againMessages", "i18n"],
  "reading/action-items/messages": ["actionItemMessages", "reading/answers/messages"],
  "reading/answers/messages": ["answerMessages", "i18n"],
  "reading/flashcards/messages": ["flashcardMessages", "reading/messages"],
  "reading/hearing/messages": ["hearMessages", "reading/dialog-messages"],
  "reading/formulas/messages": ["formulaMessages", "i18n"],
  "reading/recap/messages": ["recapMessages", "reading/answers/messages"],
  "reading/slides/messages": ["slideMessages", "i18n"],
  "reading/terms/messages": ["termMessages", "reading/messages"],
  "features/account/messages": ["accountMessages", "i18n/forms"],
  "features/account/link-messages": ["linkMessages", "features/account/messages"],
  "features/account/programs/messages": ["programMessages", "i18n/forms"],
  "features/ask/messages": ["askMessages", "reading/answers/messages"],
  "features/auth/messages": ["authMessages", "i18n"],
  "features/challenge/messages": ["challengeMessages", "i18n"],
  "features/connect/messages": ["connectMessages", "i18n/forms"],
  "features/glossary/messages": ["glossaryMessages", "i18n/library"],
  "features/glossary/proposals/messages": ["proposalMessages", "i18n/library"],
  "features/import/backup/messages": ["backupMessages", "i18n/export-import"],
  "features/import/remote/messages": ["remoteMessages", "i18n/export-import"],
  "features/keep/messages": ["keepMessages", "i18n/library"],
  "features/library/sidebar/messages": ["sidebarMessages", "i18n/library"],
  "features/live/messages": ["liveMessages", "reading/messages"],
  "features/mock/messages": ["mockMessages", "i18n"],
  "features/quiz/messages": ["quizMessages", "i18n/library"],
  "features/recording/messages": ["recordingMessages", "reading/messages"],
  "features/recording/dialog-messages": ["dialogMessages", "features/recording/messages"],
  "features/recording/engine-messages": ["engineMessages", "features/recording/messages"],
  "features/recording/engine-list-messages": [
    "engineListMessages",
    "features/recording/engine-messages",
  ],
  "features/recording/model-messages": ["modelMessages", "i18n"],
  "features/sharing/messages": ["sharingMessages", "i18n"],
  "features/sharing/people/messages": ["peopleMessages", "i18n"],
  "features/shell/messages": ["shortcutMessages"],
  "features/slides/messages": ["slideFileMessages", "reading/slides/messages"],
  "features/subscriptions/messages": ["planMessages", "i18n/forms"],
  "features/together/messages": ["togetherMessages", "i18n/library"],
  "features/trash/messages": ["trashMessages", "i18n/library"],
};

const client = join(dirname(fileURLToPath(import.meta.url)), "../src/client");

for (const [folder, [name, base]] of Object.entries(bundles)) {
  const file = join(client, folder, "index.ts");
  const code = createModule(name, base);
  if (!existsSync(file) || readFileSync(file, "utf8") !== code) writeFileSync(file, code);
}

function createModule(name: string, base: string | undefined): string {
  const baseName = base && bundles[base]?.[0];
  const importBase = `import { ${baseName} } from "#client/${base}/index.ts";\n`;
  return `// Written by build/message-indexes.ts
import { createMessages } from "#client/i18n/bundle.ts";
${base ? importBase : ""}
const files = { en: () => import("./en.json"), zh: () => import("./zh.json") };
export const ${name} = createMessages(files${base ? `, ${baseName}` : ""});
export const { t, useT } = ${name};

export type MessageKey = Parameters<typeof t>[0];
export type Translate = typeof t;
`;
}
