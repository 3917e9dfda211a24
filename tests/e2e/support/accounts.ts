import { expect, type Page } from "@playwright/test";
import { createAddress, password } from "./journey.ts";
import type { Site } from "./site.ts";

/** Texts of the pages in both interface languages. */
export const interfaceTexts = {
  en: {
    signIn: "Sign In",
    signUp: "Sign Up",
    guestMode: "Guest Mode",
    asGuest: "Continue as Guest",
    email: "Email",
    password: "Password",
    confirmPassword: "Confirm password",
    createAccount: "Create Account",
    created: "Account created",
    welcome: "Welcome back!",
    authError: "Authentication Error",
    wrongCredentials: "The email or password is incorrect.",
    notConfirmed: "Address not confirmed",
    confirmed: "Email Confirmed",
    home: "Your Lectures",
    forgot: "Forgot password?",
    resetPassword: "Reset Password",
    resetSent: "Password Reset Email Sent",
    resetSentText: "Check your email for reset instructions",
    newPassword: "New password",
    confirmNew: "Confirm new password",
    updatePassword: "Update Password",
    updated: "Password Updated",
    menu: "Account menu",
    settings: "Settings",
    profileSettings: "Profile Settings",
    signOut: "Sign Out",
    changePassword: "Change Password",
    currentPassword: "Current password",
    incorrect: "Current Password Incorrect",
    incorrectText: "Please enter your current password correctly",
    changed: "Password Changed Successfully",
    deleteAccount: "Delete Account",
    typeDelete: "Type 'delete' to confirm",
    invalidConfirmation: "Invalid confirmation",
    deleted: "Account deleted",
    notifications: "Notifications",
  },
  zh: {
    signIn: "登录",
    signUp: "注册",
    guestMode: "访客模式",
    asGuest: "以访客身份继续",
    email: "邮箱",
    password: "密码",
    confirmPassword: "确认密码",
    createAccount: "创建账户",
    created: "账户已创建",
    welcome: "欢迎回来！",
    authError: "身份验证失败",
    wrongCredentials: "邮箱或密码不正确。",
    notConfirmed: "邮箱尚未确认",
    confirmed: "邮箱已确认",
    home: "我的课堂记录",
    forgot: "忘记密码？",
    resetPassword: "重置密码",
    resetSent: "密码重置邮件已发送",
    resetSentText: "请查收邮件，按其中的说明重置密码",
    newPassword: "新密码",
    confirmNew: "确认新密码",
    updatePassword: "更新密码",
    updated: "密码已更新",
    menu: "账户菜单",
    settings: "设置",
    profileSettings: "个人资料设置",
    signOut: "退出登录",
    changePassword: "修改密码",
    currentPassword: "当前密码",
    incorrect: "当前密码不正确",
    incorrectText: "请正确输入当前密码",
    changed: "密码修改成功",
    deleteAccount: "删除账户",
    typeDelete: "输入“delete”以确认",
    invalidConfirmation: "确认内容无效",
    deleted: "账户已删除",
    notifications: "通知",
  },
} as const;

export type InterfaceTexts = (typeof interfaceTexts)[keyof typeof interfaceTexts];

export const getField = (page: Page, label: string) => page.getByLabel(label, { exact: true });
export const getButton = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true });
export const getHeading = (page: Page, name: string) => page.getByRole("heading", { name });

/** The title or text of a toast. */
export const getToastText = (
  page: Page,
  text: string,
  { notifications }: InterfaceTexts = interfaceTexts.en,
) => page.getByRole("region", { name: notifications }).getByText(text, { exact: true });

/** Submits the sign-in form, without waiting for the result. */
export async function signIn(page: Page, texts: InterfaceTexts, email: string, secret = password) {
  await getField(page, texts.email).fill(email);
  await getField(page, texts.password).fill(secret);
  await getButton(page, texts.signIn).click();
}

/** Signs up with the form; ends on the home page. */
export async function signUpOnForm(
  page: Page,
  texts: InterfaceTexts,
  email: string,
): Promise<void> {
  await page.goto("/auth");
  await page.getByRole("tab", { name: texts.signUp }).click();
  await getField(page, texts.email).fill(email);
  await getField(page, texts.password).fill(password);
  await getField(page, texts.confirmPassword).fill(password);
  await getButton(page, texts.createAccount).click();
  await expect(getHeading(page, texts.home)).toBeVisible();
}

/** Creates an account without a browser. */
export async function createAccount(site: Site): Promise<string> {
  const email = createAddress();
  const answer = await fetch(`${site.url}/trpc/auth.signUp`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: site.url },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return email;
}

/** Requests a password reset link on /auth. */
export async function requestPasswordReset(
  page: Page,
  texts: InterfaceTexts,
  email: string,
): Promise<void> {
  await page.goto("/auth");
  await getButton(page, texts.forgot).click();
  await getField(page, texts.email).fill(email);
  await getButton(page, texts.resetPassword).click();
  await expect(getToastText(page, texts.resetSent, texts)).toBeVisible();
}

/** Makes the tab show the form of a reset link, as after a reload. The server does not know of it. */
export const showResetForm = (page: Page) =>
  page.evaluate(() => {
    const expiresAt = new Date(Date.now() + 900_000).toISOString();
    sessionStorage.setItem("recovery", JSON.stringify({ email: "lin@example.edu", expiresAt }));
  });

export async function chooseAccountMenuItem(
  page: Page,
  texts: InterfaceTexts,
  entry: string,
): Promise<void> {
  await page.getByRole("button", { name: texts.menu }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

interface Mail {
  text: string;
}

const fetchMails = async (site: Site, email: string): Promise<Mail[]> => {
  const answer = await fetch(`${site.stackUrl}/mail/outbox.json?to=${encodeURIComponent(email)}`);
  return (await answer.json()).emails;
};

/** Waits for `count` mails to `email`; returns the link in the newest one. */
export async function waitForMailLink(site: Site, email: string, count = 1): Promise<string> {
  await expect.poll(async () => (await fetchMails(site, email)).length).toBe(count);
  const [newest] = await fetchMails(site, email);
  return /https?:\/\/\S+/.exec(newest?.text ?? "")?.[0] ?? "";
}

export const getLinkToken = (link: string) => new URL(link).searchParams.get("token_hash") ?? "";

/** Runs one statement on the site's database. */
export async function runSql(site: Site, query: string, params: string[]): Promise<void> {
  const answer = await fetch(`${site.stackUrl}/neon/sql`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "neon-connection-string": "postgres://test:test@stack/test",
      "neon-raw-text-output": "true",
    },
    body: JSON.stringify({ query, params }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Makes the sign-ins of `email` old, so that sensitive actions ask for the password. */
export const ageSignIns = (site: Site, email: string) =>
  runSql(
    site,
    `update sessions set created_at = now() - interval '11 minutes'
     where user_id = (select id from users where email = $1)`,
    [email],
  );

/** Expires every link that was sent to `email`. */
export const expireLinks = (site: Site, email: string) =>
  runSql(
    site,
    `update one_time_tokens set expires_at = now() - interval '1 second'
     where user_id = (select id from users where email = $1)`,
    [email],
  );
