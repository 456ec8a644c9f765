import { choiceForm } from '#store/catalogue/choice-spelling.ts'
import type { Phrase } from './vocabulary.ts'

/** The values of an attribute that products have and the definitions rank, worst first, and the places of those that are meant. */
export type Grades = { worstFirst: string[]; lowest: number; highest: number }
export type GradeComparison = 'better' | 'orBetter' | 'worse' | 'orWorse'
export const oppositeGrades = { better: 'orWorse', orBetter: 'worse', worse: 'orBetter', orWorse: 'better' } as const

/** The values that are better or worse than those that are meant; none if they are not ranked. */
export function valuesOfGrade(grades: Grades | undefined, comparison: GradeComparison): string[] {
  if (!grades) return []
  const { worstFirst, lowest, highest } = grades
  const bounds = { better: [highest + 1], orBetter: [lowest], worse: [0, lowest], orWorse: [0, highest + 1] }
  return worstFirst.slice(...bounds[comparison])
}

/** The choices that are ranked, worst first. */
export function rankChoices(choices: readonly string[], worstFirst: readonly string[]): string[] {
  if (worstFirst.length === 0) return []
  const ranks = new Map(worstFirst.map((value, rank) => [choiceForm(value), rank]))
  const ranked = choices.flatMap((choice) => {
    const rank = ranks.get(choiceForm(choice))
    return rank === undefined ? [] : [{ choice, rank }]
  })
  return ranked.sort((one, other) => one.rank - other.rank).map(({ choice }) => choice)
}

/** @param worstFirst the choices that are ranked */
export function gradesOf(values: string[], worstFirst: string[]): Grades | undefined {
  const meant = new Set(values)
  const places = worstFirst.flatMap((choice, place) => (meant.has(choice) ? [place] : []))
  const [lowest, highest] = [places[0], places.at(-1)]
  return lowest === undefined || highest === undefined ? undefined : { worstFirst, lowest, highest }
}

/** Whether a phrase begins a comparison: "at least", "better than". */
export const isComparison = ({ roles }: Phrase): boolean => (['min', 'max', 'better', 'worse'] as const).some((role) => roles.has(role))

/** What is asked for of a grade by what stands before it, or behind it. */
export function gradeComparison(before: Phrase | undefined, after: Phrase | undefined): GradeComparison {
  if (before?.roles.has('better')) return 'better'
  if (before?.roles.has('worse')) return 'worse'
  if (before?.roles.has('max')) return before.roles.has('exclusive') ? 'worse' : 'orWorse'
  if (before) return before.roles.has('exclusive') ? 'better' : 'orBetter'
  return after?.roles.has('orLess') ? 'orWorse' : 'orBetter'
}
