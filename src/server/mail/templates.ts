import { composeMail, type MailContent } from "./layout.ts";

/** What is sent after signing up; `email` is repeated, so that a mistyped address is noticed. */
export function confirmationMail({ email, link }: { email: string; link: string }): MailContent {
  return composeMail(
    {
      subject: "Confirm your e-mail address · 确认邮箱地址",
      en: {
        title: "Confirm your e-mail address",
        body: `An account at Dualect was made with ${email}. Press the button to confirm that the address is yours.`,
        action: "Confirm address",
        note: "The link works once, for 24 hours. If you did not make this account, do not press the button: the address then stays unconfirmed.",
      },
      zh: {
        title: "确认邮箱地址",
        body: `有人用 ${email} 注册了课译账户。请点击按钮，确认这是你的邮箱。`,
        action: "确认邮箱",
        note: "链接 24 小时内有效，只能使用一次。如果不是你本人注册，请不要点击按钮，该邮箱将保持未确认状态。",
      },
    },
    link,
  );
}

/** What is sent when somebody has forgotten the password of the account at `email`. */
export function recoveryMail({ email, link }: { email: string; link: string }): MailContent {
  return composeMail(
    {
      subject: "Set a new password · 重设密码",
      en: {
        title: "Set a new password",
        body: `Somebody asked for a new password for the Dualect account ${email}. Press the button to choose one; every device will then be signed out.`,
        action: "Choose a new password",
        note: "The link works once, for one hour. If it was not you, nothing has to be done: your password stays as it is.",
      },
      zh: {
        title: "重设密码",
        body: `有人为课译账户 ${email} 申请了重设密码。请点击按钮设置新密码；设置后所有设备都会退出登录。`,
        action: "设置新密码",
        note: "链接一小时内有效，只能使用一次。如果不是你本人申请，无需任何操作，密码不会改变。",
      },
    },
    link,
  );
}
