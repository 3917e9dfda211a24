/** What the assistant of the mock-up says first. */
export const greeting =
  "你好！我是你的课堂助手。关于这节线性代数课，你可以问我概念、例题，也可以让我整理要点。";

const answers = [
  "矩阵的秩，是它的列向量中线性无关的最大个数。老师在 1:02 举的例子里，第三列等于前两列之和，所以秩是 2。",
  "这节课的要点有三个：秩的定义、用初等行变换求秩，以及秩与方程组解的关系。要我把它们整理成笔记吗？",
  "可以这样理解：把矩阵看成一次变换，秩就是变换之后空间的维数。秩不满，说明有方向被压扁了。",
] as const;

/** The answer to the question after `answered` others. */
export const cannedAnswer = (answered: number): string =>
  answers[answered % answers.length] ?? answers[0];
