import * as z from 'zod'
import known from '#content/question-words.json' with { type: 'json' }
import { limitedRecord, UnitFactor, UnitWord, ValueWords } from '../categories.ts'
import { productSortPattern } from '../product-sort.ts'

const Words = z.array(z.string().min(1).max(100)).max(500)

const Units = limitedRecord(z.string().max(40), limitedRecord(UnitWord, UnitFactor, 100), 200)

/** The words of questions that are not about a category: comparisons, money, stock, units. */
export const QuestionWords = z.strictObject({
  max: Words,
  min: Words,
  /** of all comparisons: those that do not mean the number itself, where it is a count */
  exclusive: Words.default(known.exclusive),
  /** of `exclusive`: those that do not mean the number itself either where all products have whole numbers, such as GB */
  strict: Words.default(known.strict),
  /** comparisons with a year, where the number can be one */
  year: Words.default(known.year),
  /** before a year of release */
  inYear: Words.default(known.inYear),
  /** behind a year: it and later ones */
  onwards: Words.default(known.onwards),
  around: Words,
  /** how far "around" goes, in percent of the number */
  aroundPercent: z.number().min(0).max(100),
  between: Words,
  to: Words,
  orMore: Words,
  orLess: Words,
  /** more of what is better with more, less of what is better with less */
  better: Words.default(known.better),
  orBetter: Words.default(known.orBetter),
  /** less of what is better with more, more of what is better with less */
  worse: Words.default(known.worse),
  without: Words,
  currencies: Words,
  pieces: Words,
  /** behind a price: it is that of all pieces */
  total: Words.default(known.total),
  /** before or behind a price: it is the most for all pieces */
  budget: Words.default(known.budget),
  inStock: Words,
  sorts: z
    .array(z.strictObject({ words: Words, sort: z.string().regex(productSortPattern, 'Products cannot be sorted by that') }))
    .max(100),
  /** a category named after one of these is not what is looked for: "cooler for a cpu" */
  prepositions: Words,
  /** of `prepositions`: those before a measure that it must not exceed, "fits in 240 mm" */
  fits: Words.default(known.fits),
  /** before a comparison with a number of pieces: "stock at least 100" */
  stocked: Words.default(known.stocked),
  /** what a number counts in one product, so that it is no number of products: "61 key keyboards" */
  counted: Words.default(known.counted),
  /** units of what no attribute measures: a number before one is no price */
  otherUnits: Words.default(known.otherUnits),
  /** words that say nothing of a product */
  fillers: Words,
  /** other names of makers, in questions and in import files */
  makers: z.array(z.strictObject({ words: Words, brand: z.string().min(1).max(200) })).max(5000),
  /** what buyers ask for and parts shops mostly lack, with the categories that come nearest */
  notSold: z.array(z.strictObject({ words: Words, nearest: Words })).max(500),
  /** by the unit of an attribute: the words of units with their factor to it, in questions and in import files */
  units: Units,
  /** likewise, in import files alone: in a question "m" is no metre. Without MB of what is in GB, which are 1,000 of a drive and 1,024 of memory */
  fileUnits: Units.default(known.fileUnits),
  /** words of colours in names, but not beside these: parts of one line that differ by them alone are a family */
  colours: z.strictObject({
    words: z
      .array(
        z
          .string()
          .max(40)
          .regex(/^\p{Ll}+$/u),
      )
      .max(500),
    notAfter: Words,
    notBefore: Words,
  }),
  /** values that attributes of several categories have */
  values: limitedRecord(z.string().max(100), z.array(ValueWords).max(200), 200),
})
export type QuestionWords = z.infer<typeof QuestionWords>

let words: QuestionWords = QuestionWords.parse(known)

/** The words of this process: those of `content/question-words.json` until `createDefinitionsReader` has read those of the database. */
export const questionWords = (): QuestionWords => words

/** Replaces the words of this process. Only for `setDefinitions`. */
export function setQuestionWords(read: QuestionWords): void {
  words = read
}
