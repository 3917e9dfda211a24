export type Language = "en" | "zh";

/** English first, then Chinese. */
const messages = {
  notice: [
    "In Stripe's place: a demonstration, no money moves.",
    "代替 Stripe 的演示页面，不会扣款。",
  ],
  checkoutTitle: ["Subscribe to {plan}", "订阅 {plan}"],
  perMonth: ["{price} per month", "每月 {price}"],
  perYear: ["{price} per year", "每年 {price}"],
  account: ["For {email}", "账户：{email}"],
  pay: ["Pay {price}", "支付 {price}"],
  decline: ["Pay with a card that is declined", "用会被拒绝的卡支付"],
  cancel: ["Cancel and go back", "取消并返回"],
  declined: ["The card was declined. Nothing was charged.", "该卡被拒绝，没有扣款。"],
  complete: ["This page has been paid", "此页面已完成支付"],
  expired: ["This page has expired", "此页面已过期"],
  back: ["Go back to Dualect", "返回课译"],
  portalTitle: ["Plan and payments", "套餐与付款"],
  plan: ["Plan", "套餐"],
  noPlan: ["There is no plan that runs.", "目前没有生效的套餐。"],
  renews: ["Renews on {date}.", "将于 {date} 续订。"],
  ends: ["Ends on {date}.", "将于 {date} 结束。"],
  past_due: ["The last payment failed: update the card.", "上次付款失败：请更新银行卡。"],
  unpaid: ["The plan is on hold because it was not paid.", "由于未付款，套餐已暂停。"],
  cancelPlan: ["Cancel plan at the end of the period", "在本期结束时取消套餐"],
  resumePlan: ["Keep the plan", "保留套餐"],
  paymentMethod: ["Payment method", "付款方式"],
  goodCard: ["Update to a card that works", "更换为可用的卡"],
  badCard: ["Update to a card whose payments fail", "更换为付款会失败的卡"],
  invoices: ["Invoices", "账单"],
  payNow: ["Pay now", "立即支付"],
  paid: ["Paid", "已付"],
  notFound: ["There is no such page", "没有这个页面"],
} as const;

type MessageKey = keyof typeof messages;
export type Translate = (key: MessageKey, values?: Record<string, string>) => string;

export const createTranslate =
  (language: Language): Translate =>
  (key, values = {}) =>
    messages[key][language === "en" ? 0 : 1].replace(
      /\{(\w+)\}/g,
      (whole, name: string) => values[name] ?? whole,
    );

/** The first supported language in the `Accept-Language` header; default: English. */
export const toLanguage = (acceptLanguage: string | undefined): Language =>
  /\b(en|zh)\b/i.exec(acceptLanguage ?? "")?.[1]?.toLowerCase() === "zh" ? "zh" : "en";
