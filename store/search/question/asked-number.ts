import type { NumberMeaning, Phrase } from './vocabulary.ts'

export type Comparison = 'max' | 'min' | 'around' | 'between'
/** A number of a question: "up to 320mm", "2x16gb", "cl30", "$200". */
export type AskedNumber = {
  value: number
  /** the other end of a range */
  value2?: number
  comparison?: Comparison
  /** how many pieces there are of it: 2 of 2x16gb */
  pieces?: number
  /** what the unit can mean; undefined without a unit */
  unit?: Phrase
  /** of the other end, where that has another: "500gb - 1tb" */
  unit2?: Phrase
  /** the tokens between a comparison and the number that tell what is measured: "length" of "max length 300mm" */
  measure?: [from: number, to: number]
  /** what the word before the number can mean */
  prefix?: NumberMeaning[]
  isMoney?: true
  /** the price of all pieces that are needed: "under $2000 in total" */
  isTotal?: true
  /** the price of one: "$200 each" */
  isEach?: true
  /** how many pieces are needed, said without a word for pieces */
  isQuantity?: true
  /** "or better": no more of what is better with less, such as a response time */
  isBetter?: true
  /** "worse than": no less of what is better with less */
  isWorse?: true
  /** the number itself is not meant, where it is a count: "under 8 cores" */
  isExclusive?: true
  /** nor where all numbers are whole: "more than 16 gb" */
  isStrict?: true
  /** it is a year: "newer than 2024" */
  isYear?: true
}
/** A number at tokens `from` up to `to`. */
export type NumberMention = { from: number; to: number; number: AskedNumber; isNegated: false }

/** "at least 100" without anything that tells what it counts */
export const isCount = ({ value, comparison, ...more }: AskedNumber, asked: Comparison): boolean =>
  comparison === asked &&
  Number.isInteger(value) &&
  value >= 1 &&
  Object.keys(more).every((one) => one === 'isExclusive' || one === 'isStrict')
/** Whether nothing but the number is said: neither what it counts, nor that it is money. */
export const hasNoMeaning = ({ unit, prefix, isMoney }: AskedNumber): boolean => !unit && !prefix && !isMoney
/** Whether it can be a year in which a part was released. */
export const isBareYear = (number: AskedNumber): boolean =>
  hasNoMeaning(number) && Number.isInteger(number.value) && number.value >= years.first && number.value <= years.last
/** Parts for computers are not older. */
const years = { first: 1990, last: 2100 }
