import accountEn from "../../../src/client/features/account/messages/en.json" with { type: "json" };
import accountZh from "../../../src/client/features/account/messages/zh.json" with { type: "json" };
import authEn from "../../../src/client/features/auth/messages/en.json" with { type: "json" };
import authZh from "../../../src/client/features/auth/messages/zh.json" with { type: "json" };
import detailEn from "../../../src/client/features/lectures/detail/messages/en.json" with {
  type: "json",
};
import detailZh from "../../../src/client/features/lectures/detail/messages/zh.json" with {
  type: "json",
};
import lecturesEn from "../../../src/client/features/lectures/messages/en.json" with {
  type: "json",
};
import lecturesZh from "../../../src/client/features/lectures/messages/zh.json" with {
  type: "json",
};
import sidebarEn from "../../../src/client/features/lectures/sidebar/messages/en.json" with {
  type: "json",
};
import sidebarZh from "../../../src/client/features/lectures/sidebar/messages/zh.json" with {
  type: "json",
};
import transferEn from "../../../src/client/features/lectures/transfer/messages/en.json" with {
  type: "json",
};
import transferZh from "../../../src/client/features/lectures/transfer/messages/zh.json" with {
  type: "json",
};
import trashEn from "../../../src/client/features/lectures/trash/messages/en.json" with {
  type: "json",
};
import trashZh from "../../../src/client/features/lectures/trash/messages/zh.json" with {
  type: "json",
};
import plansEn from "../../../src/client/features/plans/messages/en.json" with { type: "json" };
import plansZh from "../../../src/client/features/plans/messages/zh.json" with { type: "json" };
import dialogsEn from "../../../src/client/features/recording/dialog-messages/en.json" with {
  type: "json",
};
import dialogsZh from "../../../src/client/features/recording/dialog-messages/zh.json" with {
  type: "json",
};
import recordingEn from "../../../src/client/features/recording/messages/en.json" with {
  type: "json",
};
import recordingZh from "../../../src/client/features/recording/messages/zh.json" with {
  type: "json",
};
import commonEn from "../../../src/client/messages/en.json" with { type: "json" };
import commonZh from "../../../src/client/messages/zh.json" with { type: "json" };

/** The interface's messages by key, as they are written: with the names of their values in braces. */
export const messages = {
  en: {
    ...commonEn,
    ...accountEn,
    ...authEn,
    ...detailEn,
    ...lecturesEn,
    ...sidebarEn,
    ...transferEn,
    ...trashEn,
    ...plansEn,
    ...dialogsEn,
    ...recordingEn,
  },
  zh: {
    ...commonZh,
    ...accountZh,
    ...authZh,
    ...detailZh,
    ...lecturesZh,
    ...sidebarZh,
    ...transferZh,
    ...trashZh,
    ...plansZh,
    ...dialogsZh,
    ...recordingZh,
  },
};

export type MessageKey = keyof typeof messages.en;
