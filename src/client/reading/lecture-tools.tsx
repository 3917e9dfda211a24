import { Recap } from "./recap/recap.tsx";
import { TermTools, type TermToolsProps } from "./terms/term-tools.tsx";

/** What works on the text of a lecture that can be changed, once there is some. Loaded after the first paint. */
export default function LectureTools({ signedIn, ...props }: TermToolsProps) {
  return (
    <>
      <TermTools {...props} signedIn={signedIn} />
      <Recap {...props} />
    </>
  );
}
