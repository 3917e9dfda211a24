import { useEffect, useEffectEvent, useRef, useState } from "react";
import { parseUrl, type RemoteFile, RemoteFileError } from "#shared/remote-file.ts";
import type { Choice } from "./choice.ts";
import { fetchRemote } from "./fetch-remote.ts";
import { nameFile } from "./media-address.ts";
import { type RemoteText, readRemoteText } from "./read-text.ts";

/** `ownSite`: the address is this site's. `noFile`: a page without a file. `noEpisodes`: a feed without one, or none. */
type Problem = "ownSite" | "noFile" | "noEpisodes";

export class RemoteTextError extends Error {
  override readonly name = "RemoteTextError";

  constructor(readonly problem: Problem) {
    super(`The address has no recording: ${problem}`);
  }
}

type RemoteState =
  /** `bytes` 0: no answer yet. `size` null: not known. */
  | { step: "fetching"; bytes: number; size: number | null }
  | { step: "choosing"; text: RemoteText }
  | { step: "failed"; failure: unknown };

const beginning: RemoteState = { step: "fetching", bytes: 0, size: null };

/** What leads to a file: an address that a person gave, or one of a list. */
type Wanted = Pick<Choice, "address"> & Partial<Choice>;

/** Fetches `address`: a file, or a list of them from which the person chooses. */
export function useRemoteFile(address: string, onFile: (file: File) => void) {
  const [state, setState] = useState<RemoteState>(beginning);
  /** The last one that was shown. */
  const [list, setList] = useState<RemoteText | null>(null);
  const work = useRef(new AbortController());

  const open = useEffectEvent(async (wanted: Wanted) => {
    work.current.abort();
    const controller = new AbortController();
    work.current = controller;
    const { signal } = controller;
    const show = (next: RemoteState) => {
      if (!signal.aborted) setState(next);
    };
    const onProgress = (bytes: number, size: number | null) =>
      show({ step: "fetching", bytes, size });
    show(beginning);
    try {
      const found = await fetchWanted(wanted, { onProgress, signal });
      if (signal.aborted) return;
      if (found instanceof File) onFile(found);
      else {
        setList(found);
        show({ step: "choosing", text: found });
      }
    } catch (failure) {
      show({ step: "failed", failure });
    }
  });
  useEffect(() => {
    void open({ address });
    return () => work.current.abort();
  }, [address]);

  return {
    state,
    open: (choice: Choice) => void open(choice),
    /** Null: nothing was to be chosen. */
    toList:
      list &&
      (() => {
        work.current.abort();
        setState({ step: "choosing", text: list });
      }),
  };
}

interface FetchOptions {
  onProgress: (bytes: number, size: number | null) => void;
  signal: AbortSignal;
}

/** The file, or what there is to choose from. A page that names one recording, or nothing but one feed, leads there at once. */
async function fetchWanted(wanted: Wanted, options: FetchOptions): Promise<File | RemoteText> {
  if (parseUrl(wanted.address)?.origin === location.origin) throw new RemoteTextError("ownSite");
  const { file, content } = await fetchRemote(wanted.address, options);
  if (file.kind === "media") return toFile(wanted, file, content);
  // What was to be a file is the page around it.
  if (wanted.kind === "file") throw new RemoteTextError("noFile");
  const bytes = new Uint8Array(await content.arrayBuffer());
  const text = readRemoteText(bytes, { charset: file.charset, base: file.address });
  if (text === null) throw new RemoteFileError("type");
  if (text.choices.length === 0)
    throw new RemoteTextError(text.kind === "page" ? "noFile" : "noEpisodes");
  // A page that a page names as its feed.
  if (text.kind === "page" && wanted.kind === "feed") throw new RemoteTextError("noEpisodes");
  const only = text.kind === "page" ? findOnly(text.choices) : undefined;
  if (!only) return text;
  return fetchWanted({ ...only, title: only.title || text.title }, options);
}

function findOnly(choices: readonly Choice[]): Choice | undefined {
  const files = choices.filter(({ kind }) => kind === "file");
  const [first, second] = files.length > 0 ? files : choices;
  return second ? undefined : first;
}

function toFile({ title = "", publishedAt }: Wanted, file: RemoteFile, content: Blob): File {
  // A tag is no date.
  const date = publishedAt ?? (/^[a-z]{3}, /i.test(file.validator ?? "") ? file.validator : null);
  const lastModified = Date.parse(date ?? "");
  const type = /^(audio|video)\//.test(file.type) ? file.type : "audio/ogg";
  return new File([content], nameFile(title, file), {
    type,
    ...(lastModified > 0 && { lastModified }),
  });
}
