import type { Account } from "../account.ts";
import type { Checkout } from "../model.ts";
import { escapeHtml, layout } from "./layout.ts";
import { fill, type Language, money, words } from "./words.ts";

/** The page of a checkout session, open or not. */
export function checkoutPage(
  account: Account,
  checkout: Checkout,
  { language, declined }: { language: Language; declined: boolean },
): string {
  const says = words[language];
  if (checkout.status !== "open") {
    const paid = checkout.status === "complete";
    const title = paid ? says.completeTitle : says.expiredTitle;
    const back = paid ? successUrl(checkout) : checkout.cancelUrl;
    return layout(
      language,
      title,
      `<h1>${title}</h1><p>${paid ? says.complete : says.expired}</p>${link(back, says.goBack)}`,
    );
  }
  const price = account.price(checkout.price);
  const plan = account.products.get(price.product)?.name ?? price.product;
  const total = money(price.amount * checkout.quantity);
  const title = fill(says.checkoutTitle, { plan });
  const email = checkout.customer
    ? account.customer(checkout.customer).email
    : checkout.customerEmail;
  const per = price.interval === "year" ? says.perYear : says.perMonth;
  const alert = declined ? `<p class="alert" role="alert">${says.declined}</p>` : "";
  return layout(
    language,
    title,
    `<h1>${escapeHtml(title)}</h1>
     <section>
       <p class="price">${fill(per, { price: total })}</p>
       ${email ? `<p class="quiet">${escapeHtml(fill(says.account, { email }))}</p>` : ""}
       ${alert}
       <form method="post">
         <button class="primary" name="action" value="pay">${fill(says.pay, { price: total })}</button>
         <button name="action" value="decline">${says.decline}</button>
       </form>
       ${link(checkout.cancelUrl, says.cancel)}
     </section>`,
  );
}

/** Where a paid session leads, with its id where the address asks for it. */
export const successUrl = ({ successUrl: url, id }: Checkout): string =>
  url.replaceAll("{CHECKOUT_SESSION_ID}", id);

const link = (url: string | null, text: string) =>
  url ? `<a class="button" href="${escapeHtml(url)}">${text}</a>` : "";
