export interface Sentence {
  /** The start, in seconds. */
  start: number;
  speaker: string;
  text: string;
}

export const recordingTitle = "线性代数 · 第六讲：矩阵的秩";
export const recordedAt = "2025-10-15T08:00";

export const sentences: readonly Sentence[] = [
  { start: 0, speaker: "1", text: "同学们早上好，今天我们讲矩阵的秩。" },
  { start: 9, speaker: "1", text: "上节课我们已经知道，什么样的一组向量是线性无关的。" },
  {
    start: 21,
    speaker: "1",
    text: "把一个矩阵的每一列都看成一个向量，其中线性无关的列最多有几个，这个数就叫做矩阵的秩。",
  },
  { start: 38, speaker: "2", text: "老师，那如果看行向量，结果会不会不一样？" },
  {
    start: 46,
    speaker: "1",
    text: "问得好。行秩和列秩总是相等的，这是这门课里最漂亮的结论之一，我们下节课来证明。",
  },
  {
    start: 62,
    speaker: "1",
    text: "先看一个例子：这个三阶矩阵的第三列，恰好等于第一列加第二列，所以它的秩是二。",
  },
  { start: 80, speaker: "1", text: "手算的时候，我们用初等行变换，把矩阵化成行阶梯形。" },
  { start: 94, speaker: "1", text: "非零行有几行，秩就是几。" },
  { start: 103, speaker: "2", text: "变换的过程中，秩不会改变吗？" },
  {
    start: 109,
    speaker: "1",
    text: "不会。初等变换是可逆的，它不会让无关的向量变得相关，反过来也一样。",
  },
  {
    start: 124,
    speaker: "1",
    text: "接下来看它有什么用：方程组有没有解，就看系数矩阵和增广矩阵的秩是否相等。",
  },
  {
    start: 142,
    speaker: "1",
    text: "如果相等，而且正好等于未知数的个数，那么解是唯一的；如果小于未知数的个数，就有无穷多个解。",
  },
  {
    start: 163,
    speaker: "1",
    text: "课后请完成第三章的第一、第四和第七题，下周三之前交上来。",
  },
  { start: 178, speaker: "1", text: "我们休息十分钟，然后继续讲例题。" },
];

export const summary = {
  overview:
    "本讲引入矩阵的秩：列向量中线性无关的最大个数。老师用一个三阶矩阵说明了定义，介绍了用初等行变换求秩的方法，并用秩判断线性方程组解的情况。",
  points: [
    "秩的定义：线性无关的列的最大个数；行秩与列秩总是相等。",
    "求秩的方法：用初等行变换化成行阶梯形，数非零行的行数。",
    "初等变换是可逆的，因此不改变矩阵的秩。",
    "系数矩阵与增广矩阵的秩相等时，方程组有解；秩等于未知数个数时，解唯一。",
  ],
  tasks: ["完成第三章第 1、4、7 题，下周三之前提交。", "预习：行秩等于列秩的证明。"],
} as const;
