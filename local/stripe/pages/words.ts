const en = {
  notice:
    "This is a demonstration page that stands in for Stripe. No card is asked for and no money moves.",
  checkoutTitle: "Subscribe to {plan}",
  perMonth: "{price} per month",
  perYear: "{price} per year",
  account: "For {email}",
  card: "Demonstration card •••• {last4}",
  pay: "Pay {price}",
  decline: "Pay with a card that is declined",
  cancel: "Cancel and go back",
  declined: "The card was declined. Nothing was charged. Try again or go back.",
  completeTitle: "This page has been paid",
  complete: "The subscription has begun. You can go back to Dualect.",
  expiredTitle: "This page has expired",
  expired: "Open the plans in Dualect again to subscribe.",
  goBack: "Go back to Dualect",
  portalTitle: "Plan and payments",
  plan: "Plan",
  noPlan: "There is no plan that runs.",
  active: "Renews on {date}.",
  ending: "Ends on {date}.",
  pastDue: "The last payment failed. Update the card or pay the open invoice.",
  unpaid: "The plan is on hold because it was not paid.",
  cancelPlan: "Cancel plan at the end of the period",
  resumePlan: "Keep the plan",
  paymentMethod: "Payment method",
  noCard: "No card.",
  failingCard: "Demonstration card •••• {last4}, payments fail",
  goodCard: "Update to a card that works",
  badCard: "Update to a card whose payments fail",
  invoices: "Invoices",
  noInvoices: "No invoices yet.",
  payNow: "Pay now",
  payFailed: "The payment failed.",
  saved: "Saved.",
  statuses: { draft: "Draft", open: "Open", paid: "Paid", void: "Void" },
  notFoundTitle: "There is no such page",
  notFound: "The address is wrong, or the page has been reset.",
};
export type Words = typeof en;

const zh: Words = {
  notice: "这是代替 Stripe 的演示页面：不需要银行卡，也不会产生任何扣款。",
  checkoutTitle: "订阅 {plan}",
  perMonth: "每月 {price}",
  perYear: "每年 {price}",
  account: "账户：{email}",
  card: "演示卡 •••• {last4}",
  pay: "支付 {price}",
  decline: "用会被拒绝的卡支付",
  cancel: "取消并返回",
  declined: "该卡被拒绝，没有扣款。请重试或返回。",
  completeTitle: "此页面已完成支付",
  complete: "订阅已经开始，可以返回课译。",
  expiredTitle: "此页面已过期",
  expired: "请在课译中重新打开套餐页面进行订阅。",
  goBack: "返回课译",
  portalTitle: "套餐与付款",
  plan: "套餐",
  noPlan: "目前没有生效的套餐。",
  active: "将于 {date} 续订。",
  ending: "将于 {date} 结束。",
  pastDue: "上次付款失败。请更新银行卡，或支付未付账单。",
  unpaid: "由于未付款，套餐已暂停。",
  cancelPlan: "在本期结束时取消套餐",
  resumePlan: "保留套餐",
  paymentMethod: "付款方式",
  noCard: "没有银行卡。",
  failingCard: "演示卡 •••• {last4}，付款会失败",
  goodCard: "更换为可用的卡",
  badCard: "更换为付款会失败的卡",
  invoices: "账单",
  noInvoices: "还没有账单。",
  payNow: "立即支付",
  payFailed: "付款失败。",
  saved: "已保存。",
  statuses: { draft: "草稿", open: "未付", paid: "已付", void: "已作废" },
  notFoundTitle: "没有这个页面",
  notFound: "地址有误，或者页面已被重置。",
};

export type Language = "en" | "zh";

export const words: Record<Language, Words> = { en, zh };

/** The session's own locale where it names one, else what the browser likes best. */
export function languageOf(locale: string | null, acceptLanguage: string | undefined): Language {
  if (locale !== null && locale !== "auto") return locale.startsWith("zh") ? "zh" : "en";
  const ranked = (acceptLanguage ?? "")
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().split(";");
      const quality = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean);
      return { tag: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag }) => /^(en|zh)\b/.test(tag))
    .sort((a, b) => b.quality - a.quality);
  return ranked[0]?.tag.startsWith("zh") ? "zh" : "en";
}

export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

export const money = (cents: number): string =>
  `${cents < 0 ? "-" : ""}$${(Math.abs(cents) / 100).toFixed(2)}`;

export const dayOf = (second: number, language: Language): string =>
  new Date(second * 1_000).toLocaleDateString(language === "zh" ? "zh-CN" : "en-US", {
    year: "numeric",
    month: "long",
    day: "numeric",
    timeZone: "UTC",
  });
