import { KeptSound } from "./kept-sound.tsx";
import { Programs } from "./programs/programs.tsx";

/** The sections of the profile that can wait for the first paint. */
export default function LaterSections() {
  return (
    <>
      <KeptSound />
      <Programs />
    </>
  );
}
