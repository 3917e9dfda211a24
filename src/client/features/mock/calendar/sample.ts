import type { Day } from "./calendar.ts";

export interface Lesson {
  id: string;
  day: Day;
  /** The start time as `hh:mm`, 24 hours. */
  start: string;
  title: string;
  place: string;
}

const createLesson = (day: Day, start: string, title: string, place: string): Lesson => ({
  id: `${day} ${start}`,
  day,
  start,
  title,
  place,
});

const lessons: readonly Lesson[] = [
  createLesson("2025-10-09", "08:00", "线性代数", "第一教学楼 203"),
  createLesson("2025-10-10", "14:00", "机器学习导论", "信息楼 405"),
  createLesson("2025-10-13", "10:00", "微观经济学", "经管楼 112"),
  createLesson("2025-10-14", "08:00", "数据结构与算法", "信息楼 301"),
  createLesson("2025-10-15", "08:00", "线性代数", "第一教学楼 203"),
  createLesson("2025-10-15", "15:30", "学术英语写作", "外语楼 218"),
  createLesson("2025-10-16", "10:00", "大学物理", "理科楼 106"),
  createLesson("2025-10-17", "14:00", "机器学习导论", "信息楼 405"),
  createLesson("2025-10-20", "10:00", "微观经济学", "经管楼 112"),
  createLesson("2025-10-21", "08:00", "数据结构与算法", "信息楼 301"),
  createLesson("2025-10-22", "08:00", "线性代数", "第一教学楼 203"),
  createLesson("2025-10-22", "19:00", "认知心理学讲座", "图书馆报告厅"),
  createLesson("2025-10-23", "10:00", "大学物理", "理科楼 106"),
  createLesson("2025-10-24", "14:00", "机器学习导论", "信息楼 405"),
  createLesson("2025-10-27", "10:00", "微观经济学", "经管楼 112"),
  createLesson("2025-10-29", "08:00", "线性代数期中测验", "第一教学楼 101"),
  createLesson("2025-10-31", "14:00", "机器学习导论", "信息楼 405"),
  createLesson("2025-11-03", "10:00", "微观经济学", "经管楼 112"),
  createLesson("2025-11-05", "08:00", "线性代数", "第一教学楼 203"),
];

export const listLessons = (day: Day): Lesson[] => lessons.filter((one) => one.day === day);
