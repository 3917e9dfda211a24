import type { MailTexts } from "./layout.ts";

export type MailType = keyof typeof mails;

/** The texts of each mail. They repeat the address, so that a mistyped one is noticed. */
export const mails = {
  signup: (email: string): MailTexts => ({
    en: {
      title: "Confirm your email address",
      body: `A Dualect account was created with ${email}. Press the button to confirm that this address is yours.`,
      action: "Confirm address",
      note: "The link works once and expires after 24 hours. If you did not create this account, do not press the button: the address then stays unconfirmed.",
    },
    zh: {
      title: "确认邮箱地址",
      body: `有人用 ${email} 注册了课译账户。请点击按钮，确认这是你的邮箱。`,
      action: "确认邮箱",
      note: "链接 24 小时内有效，只能使用一次。如果不是你本人注册，请不要点击按钮，该邮箱将保持未确认状态。",
    },
  }),
  recovery: (email: string): MailTexts => ({
    en: {
      title: "Set a new password",
      body: `Someone asked to reset the password of the Dualect account ${email}. Press the button to choose a new one. This signs out all devices.`,
      action: "Choose a new password",
      note: "The link works once and expires after one hour. If this was not you, you can ignore this email: your password stays as it is.",
    },
    zh: {
      title: "重置密码",
      body: `有人为课译账户 ${email} 申请了重置密码。请点击按钮设置新密码；设置后所有设备都会退出登录。`,
      action: "设置新密码",
      note: "链接一小时内有效，只能使用一次。如果不是你本人申请，无需任何操作，密码不会改变。",
    },
  }),
  password_changed: (email: string): MailTexts => ({
    en: {
      title: "Your password was changed",
      body: `The password of the Dualect account ${email} was changed, and all other devices were signed out.`,
      action: "Open the sign-in page",
      note: "If this was you, you can ignore this email. If not, choose “Forgot password?” on the sign-in page right away and set a new one.",
    },
    zh: {
      title: "密码已修改",
      body: `课译账户 ${email} 的密码已修改，其他设备均已退出登录。`,
      action: "打开登录页面",
      note: "如果是你本人操作，无需理会。如果不是，请立即在登录页面点击“忘记密码？”，重置密码。",
    },
  }),
  password_reset: (email: string): MailTexts => ({
    en: {
      title: "A new password was set",
      body: `A new password was set for the Dualect account ${email} with a link from an email, and all devices were signed out.`,
      action: "Open the sign-in page",
      note: "If this was you, you can ignore this email. If not, someone can read your email: change the password of your mailbox first, then choose “Forgot password?” on the sign-in page.",
    },
    zh: {
      title: "密码已重置",
      body: `有人通过邮件中的链接为课译账户 ${email} 设置了新密码，所有设备均已退出登录。`,
      action: "打开登录页面",
      note: "如果是你本人操作，无需理会。如果不是，说明有人能读到你的邮件：请先修改邮箱密码，再在登录页面点击“忘记密码？”。",
    },
  }),
  account_deleted: (email: string): MailTexts => ({
    en: {
      title: "Your account was deleted",
      body: `The Dualect account ${email} was deleted, with its lectures and all other data. Any paid plan has ended.`,
      action: "Open Dualect",
      note: "Deleted data cannot be restored. If this was not you, someone knew your password: change it wherever else you use it.",
    },
    zh: {
      title: "账户已删除",
      body: `课译账户 ${email} 及其课堂记录等全部数据已删除，付费套餐也已终止。`,
      action: "打开课译",
      note: "删除的内容无法恢复。如果不是你本人操作，说明有人知道你的密码：请修改其他使用同一密码的账户。",
    },
  }),
};
