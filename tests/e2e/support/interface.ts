import accountEn from "#client/features/account/messages/en.json" with { type: "json" };
import accountZh from "#client/features/account/messages/zh.json" with { type: "json" };
import authEn from "#client/features/auth/messages/en.json" with { type: "json" };
import authZh from "#client/features/auth/messages/zh.json" with { type: "json" };
import lectureEn from "#client/features/lecture/messages/en.json" with { type: "json" };
import lectureZh from "#client/features/lecture/messages/zh.json" with { type: "json" };
import sidebarEn from "#client/features/library/sidebar/messages/en.json" with { type: "json" };
import sidebarZh from "#client/features/library/sidebar/messages/zh.json" with { type: "json" };
import liveEn from "#client/features/live/messages/en.json" with { type: "json" };
import liveZh from "#client/features/live/messages/zh.json" with { type: "json" };
import dialogsEn from "#client/features/recording/dialog-messages/en.json" with { type: "json" };
import dialogsZh from "#client/features/recording/dialog-messages/zh.json" with { type: "json" };
import recordingEn from "#client/features/recording/messages/en.json" with { type: "json" };
import recordingZh from "#client/features/recording/messages/zh.json" with { type: "json" };
import sharingEn from "#client/features/sharing/messages/en.json" with { type: "json" };
import sharingZh from "#client/features/sharing/messages/zh.json" with { type: "json" };
import plansEn from "#client/features/subscriptions/messages/en.json" with { type: "json" };
import plansZh from "#client/features/subscriptions/messages/zh.json" with { type: "json" };
import trashEn from "#client/features/trash/messages/en.json" with { type: "json" };
import trashZh from "#client/features/trash/messages/zh.json" with { type: "json" };
import commonEn from "#client/i18n/en.json" with { type: "json" };
import filesEn from "#client/i18n/export-import/en.json" with { type: "json" };
import filesZh from "#client/i18n/export-import/zh.json" with { type: "json" };
import formsEn from "#client/i18n/forms/en.json" with { type: "json" };
import formsZh from "#client/i18n/forms/zh.json" with { type: "json" };
import sharedLibraryEn from "#client/i18n/library/en.json" with { type: "json" };
import sharedLibraryZh from "#client/i18n/library/zh.json" with { type: "json" };
import commonZh from "#client/i18n/zh.json" with { type: "json" };
import readingDialogsEn from "#client/reading/dialog-messages/en.json" with { type: "json" };
import readingDialogsZh from "#client/reading/dialog-messages/zh.json" with { type: "json" };
import readingEn from "#client/reading/messages/en.json" with { type: "json" };
import readingZh from "#client/reading/messages/zh.json" with { type: "json" };

/** The interface's messages by key, with their placeholders in braces. */
export const messages = {
  en: {
    ...commonEn,
    ...accountEn,
    ...authEn,
    ...formsEn,
    ...lectureEn,
    ...sharedLibraryEn,
    ...sidebarEn,
    ...filesEn,
    ...trashEn,
    ...plansEn,
    ...sharingEn,
    ...liveEn,
    ...dialogsEn,
    ...readingEn,
    ...readingDialogsEn,
    ...recordingEn,
  },
  zh: {
    ...commonZh,
    ...accountZh,
    ...authZh,
    ...formsZh,
    ...lectureZh,
    ...sharedLibraryZh,
    ...sidebarZh,
    ...filesZh,
    ...trashZh,
    ...plansZh,
    ...sharingZh,
    ...liveZh,
    ...dialogsZh,
    ...readingZh,
    ...readingDialogsZh,
    ...recordingZh,
  },
};

export type MessageKey = keyof typeof messages.en;
