/** A real lecture at length: English as it is spoken, Chinese as a person would write it. */
const sentences: readonly (readonly [speaker: string, english: string, translated: string])[] = [
  ["1", "Last week we ended with a puzzle.", "上周我们以一个谜题结束。"],
  [
    "1",
    "Every law of motion works just as well backwards, and yet nobody has ever seen an egg unbreak.",
    "每一条运动定律倒过来同样成立，可是从来没有人见过一个鸡蛋自己复原。",
  ],
  ["1", "The answer is not in the laws. It is in the counting.", "答案不在定律里，而在计数里。"],
  [
    "1",
    "There are very few ways for an egg to be whole, and very many ways for it to be broken.",
    "鸡蛋完整的方式极少，破碎的方式却极多。",
  ],
  ["2", "So is entropy just the number of ways?", "那么熵就是方式的数量吗？"],
  [
    "1",
    "Its logarithm, exactly. That is Boltzmann's formula, and it is carved on his gravestone in Vienna.",
    "准确地说是它的对数。这就是玻尔兹曼公式，刻在他维也纳的墓碑上。",
  ],
  [
    "1",
    "A system wanders among all its states, and there is simply more room where the entropy is high.",
    "系统在它的所有状态之间游走，而熵高的地方空间就是更大。",
  ],
  ["1", "That is the whole second law of thermodynamics.", "这就是热力学第二定律的全部。"],
  [
    "1",
    "Let me make that concrete, because it sounds like a trick the first time you hear it.",
    "我来举个具体的例子，因为头一回听，总觉得像是在变戏法。",
  ],
  [
    "1",
    "Take a box with a hundred molecules in it and imagine a line down the middle.",
    "取一个装着一百个分子的盒子，想象中间有一条分界线。",
  ],
  [
    "1",
    "Each molecule is either on the left or on the right, so there are two to the power of one hundred arrangements.",
    "每个分子要么在左边，要么在右边，所以一共有二的一百次方种排列。",
  ],
  ["1", "That is a one with thirty zeros after it.", "也就是一后面跟着三十个零。"],
  [
    "1",
    "Exactly one of those arrangements has every molecule on the left.",
    "其中只有一种排列，是所有分子都在左边。",
  ],
  [
    "1",
    "But an enormous number of them, about eight percent, split the molecules fifty to fifty.",
    "而恰好左右各五十个的排列多得惊人，约占全部的百分之八。",
  ],
  [
    "2",
    "Does that mean the all-left state is impossible, or only very unlikely?",
    "那么“全在左边”这个状态是不可能出现，还是只是极不可能出现？",
  ],
  ["1", "Only unlikely, and that is the honest answer.", "只是不太可能，这才是实话。"],
  [
    "1",
    "If the molecules rearranged themselves a billion times every second, you would wait some forty thousand billion years.",
    "就算这些分子每秒重新排列十亿次，你也得等上大约四十万亿年。",
  ],
  [
    "1",
    "The universe has been around for fourteen billion, so I would not stay up for it.",
    "宇宙至今也不过一百四十亿岁，所以我劝你别熬夜等了。",
  ],
  ["3", "And that's with only a hundred molecules?", "这还只是一百个分子？"],
  [
    "1",
    "With only a hundred. This room has roughly ten to the twenty-eighth.",
    "只有一百个。而这间教室里大约有十的二十八次方个。",
  ],
  [
    "1",
    "So nothing forbids all the air from gathering in that corner; the odds do the forbidding.",
    "所以并没有什么定律禁止空气全都聚到那个角落，真正起禁止作用的是概率。",
  ],
  ["1", "Now, here is where people usually go wrong.", "接下来这一步，大家往往会弄错。"],
  [
    "1",
    "They say entropy is disorder, and then they point at a messy desk.",
    "他们说熵就是无序，然后指着一张乱糟糟的书桌给你看。",
  ],
  ["1", "A desk has no entropy worth mentioning.", "书桌那点熵根本不值一提。"],
  [
    "1",
    "Entropy is about what you don't know: how many microscopic states fit the few things that you can measure.",
    "熵说的是你不知道的东西：有多少种微观状态，能与你测得的那几个量相符。",
  ],
  [
    "3",
    "Then it depends on what I choose to measure. Isn't that subjective?",
    "那它就取决于我选择测量什么了，这不是主观的吗？",
  ],
  [
    "1",
    "A lovely question, and Gibbs worried about it for years.",
    "问得非常好，吉布斯为这个问题困扰了好多年。",
  ],
  [
    "1",
    "It depends on the variables, yes, but once we agree on pressure, volume and temperature, we all get the same number.",
    "它确实取决于选取哪些变量；但只要我们约定用压强、体积和温度，大家算出来的数就都一样。",
  ],
  [
    "1",
    "Please write this down: delta S is greater than or equal to zero, for an isolated system.",
    "请把这句记下来：对孤立系统而言，ΔS 大于或等于零。",
  ],
  [
    "1",
    "The word isolated does all the work there, so don't leave it out in the exam.",
    "关键全在“孤立”二字，考试时千万别漏掉。",
  ],
  [
    "2",
    "A refrigerator lowers the entropy of the milk. Where does the rest go?",
    "冰箱降低了牛奶的熵，那多出来的熵去哪儿了？",
  ],
  [
    "1",
    "Out of the back, as heat into your kitchen, and always more of it than the milk lost.",
    "从冰箱背后变成热量散进厨房里，而且总比牛奶失去的更多。",
  ],
  ["1", "You pay the second law with your electricity bill.", "你交的电费，就是付给第二定律的。"],
  [
    "1",
    "Life does the same thing, by the way: we stay in order by making our surroundings warmer.",
    "顺便说一句，生命也是如此：我们靠让周围变得更热，来维持自身的有序。",
  ],
  [
    "3",
    "So what started it? Why was the entropy low at the beginning?",
    "那么这一切是怎么开始的？为什么最初的熵那么低？",
  ],
  [
    "1",
    "Nobody knows, and I would rather tell you that than pretend.",
    "没有人知道。我宁可如实告诉你们，也不愿不懂装懂。",
  ],
  [
    "1",
    "It is called the past hypothesis, and chapter seven of Albert's book argues about it very well.",
    "这叫作“过去假说”，阿尔伯特那本书的第七章把它讨论得很透彻。",
  ],
  [
    "1",
    "Read that for Thursday, and we will begin with heat engines.",
    "周四之前请读完这一章，下次我们从热机讲起。",
  ],
];

export const entropy = sentences.map(([speaker, english, translated], index) => {
  const startMs = 754_000 + index * 7_000;
  return { speaker, english, translated, startMs, endMs: startMs + 6_000 };
});
