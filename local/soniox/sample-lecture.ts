import { sampleOpening } from "#shared/sample-lecture.ts";

/** A passage of the sample lecture by one speaker (0: the lecturer, 1: a student). */
interface Passage {
  speaker: number;
  text: string;
}

/** The stand-in's transcript of any voice: an introduction to thermodynamics, with questions of students. */
const sampleLecture: readonly Passage[] = [
  ...sampleOpening.map(({ speaker, english }) => ({ speaker, text: english })),
  {
    speaker: 0,
    text: `Keep that
      distinction in mind, because the language we use will tempt you to forget it. Now we come to the
      second law. Imagine a box with a wall in the middle. On the left there is a gas, and on the right
      there is nothing at all. We take the wall away. A moment later the gas fills the whole box.`,
  },
  { speaker: 1, text: `Could the molecules go back to the left by accident?` },
  {
    speaker: 0,
    text: `Yes, they could, and that is the beautiful part. No law of motion stands in their way. With
      two molecules you would see it every few seconds. With ten you would have to wait a little. With
      as many as there are in this room, the age of the universe is far too short. The second law is a
      statement about numbers. There are very many ways for the gas to be spread out and very few for
      it to sit in a corner. A system wanders through its arrangements without any plan, and so it ends
      up where most of them are. Entropy counts these arrangements. More exactly, it is the logarithm
      of their number. We take the logarithm so that two systems side by side simply add.`,
  },
  { speaker: 1, text: `Does a refrigerator break this law when it cools the milk?` },
  {
    speaker: 0,
    text: `It does not, but it is a fair thing to ask. The inside of the refrigerator loses entropy,
      that is true. Put your hand behind the machine and you will find where the bill is paid. The coil
      is warm, and it gives the kitchen more entropy than the milk has lost. A living cell
      plays the same game. It keeps its order by making disorder outside. As long as there is food
      to burn and a place to leave the heat, the game can go on. Engines work the other way round.
      They take heat from something hot and turn a part of it into work. The rest has to be handed on
      to something cold. An engineer named Carnot asked how large that part can be. He found that it
      depends on the two temperatures and on nothing else. Steam or air, brass or steel, the limit
      stays the same.`,
  },
  { speaker: 1, text: `So a perfect engine would need a very cold river.` },
  {
    speaker: 0,
    text: `Exactly, and a very hot fire. Real engines fall short even of that limit, because they have
      to run at a useful speed. Whoever wants no losses must be infinitely patient. Let me finish with
      a thought about time. Play a film of a swinging pendulum backwards, and nobody will notice. Play
      a film of a breaking glass backwards, and everybody laughs. The laws of motion are the same in
      both directions. It is the counting of arrangements that tells the past from the future. We
      remember yesterday because yesterday had less entropy. Next week we shall measure it with a block
      of ice and a kitchen scale. Please read the second chapter before you come. Are there any
      other questions?`,
  },
  { speaker: 1, text: `Will the logarithm be in the examination?` },
  {
    speaker: 0,
    text: `It will, but you may bring your notes. What I want to see is that you can count. Thank you
      for listening, and enjoy your coffee while it is warm.`,
  },
];

/** One word of the sample lecture with its punctuation and its speaker. */
export interface SampleWord {
  text: string;
  speaker: number;
}

/** The words of the sample lecture in order. */
export const sampleWords: readonly SampleWord[] = sampleLecture.flatMap(({ speaker, text }) =>
  text.split(/\s+/).map((word) => ({ text: word, speaker })),
);
