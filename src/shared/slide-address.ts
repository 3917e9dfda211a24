import type { SlideKind } from "./slides.ts";

/** Addresses of slides' pictures, for pages without schemas. */

export const slidesPath = "/api/slides";

/** The address of one of a slide's pictures, without a share's secret. */
export const toSlidePath = (id: string, kind: SlideKind): string => `${slidesPath}/${id}/${kind}`;
