import * as z from "zod/mini";
import { isPublicAddress } from "#server/programs/public-address.ts";

/** Answers in JSON. A name of the resolver, because Workers reach no server by its address. */
const resolver = "https://cloudflare-dns.com/dns-query";
const timeoutMs = 5_000;
/** Record types: a name may have addresses of both, behind other names (CNAME). */
const addressTypes = { A: 1, AAAA: 28 } as const;
/** Codes of an answer: the name was found, or does not exist. */
const statuses = { found: 0, unknown: 3 } as const;

const answerSchema = z.object({
  Status: z.int(),
  Answer: z.optional(z.array(z.object({ type: z.int(), data: z.string() }))),
});

/**
 * Whether the internet's names lead from `host` to public addresses and no others; null if the resolver does not answer.
 * A request may still go elsewhere: the platform resolves the name once more.
 */
export async function leadsToPublic(host: string): Promise<boolean | null> {
  try {
    const both = await Promise.all([queryAddresses(host, "A"), queryAddresses(host, "AAAA")]);
    const addresses = both.flat();
    return addresses.length > 0 && addresses.every(isPublicAddress);
  } catch {
    return null;
  }
}

async function queryAddresses(host: string, type: keyof typeof addressTypes): Promise<string[]> {
  const response = await fetch(`${resolver}?${new URLSearchParams({ name: host, type })}`, {
    headers: { accept: "application/dns-json" },
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { Status, Answer = [] } = answerSchema.parse(await response.json());
  if (Status === statuses.unknown) return [];
  if (Status !== statuses.found) throw new Error(`DNS status ${Status}`);
  return Answer.filter((record) => record.type === addressTypes[type]).map(({ data }) => data);
}
