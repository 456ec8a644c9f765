import type { AskedNumber } from './asked-number.ts'
import type { Mention } from './mention.ts'

type ChosenCategory = { category: string | undefined; isNamed: boolean }

type CategoryContext = {
  /** whether products of a category have the words of a mention in their names */
  isInNamesOf(category: string, mention: Mention): boolean
  /** whether the mention tells what of a category a number before it measures: "gpu" of "case 400mm gpu" */
  tellsMeasureOf(category: string, mention: Mention, number: AskedNumber): boolean
}

/**
 * The category that a question is about: the chosen one, else the last that it names ("cpu cooler", "keyboard switch"), but not one after
 * "for" or "with" where what stands before tells one ("rtx 4060 that fits a 250mm case"), nor one that tells what of the category before it a
 * number measures ("case 400mm gpu"), nor one that the category before it has as a word or a value, where the rest of the question fits only
 * that ("nvme 2tb heatsink"), else the one that most of its values and numbers belong to.
 */
export function chooseCategory(
  mentions: Mention[],
  chosen: string | undefined,
  { isInNamesOf, tellsMeasureOf }: CategoryContext,
): ChosenCategory {
  if (chosen !== undefined) return { category: chosen, isNamed: true }
  let named: string | undefined
  for (const [at, mention] of mentions.entries()) {
    const { phrase, isNegated } = mention
    if (phrase?.roles.has('preposition')) {
      if (named !== undefined) break
      const inferred = inferCategory(mentions.slice(0, at))
      if (inferred !== undefined) return { category: inferred, isNamed: mentions.slice(0, at).some((one) => standsFor(one, inferred)) }
    }
    const kind = isNegated ? undefined : phrase?.kinds.find(({ isWeak, isHint }) => !isWeak && !isHint)
    if (!kind) continue
    const before = mentions[at - 1]?.to === mention.from ? mentions[at - 1] : undefined
    if (named !== undefined && before?.number && tellsMeasureOf(named, mention, before.number)) continue
    if (named !== undefined && named !== kind.category && before?.isNegated) continue // "case without rgb fans"
    const isPartOfBefore =
      named !== undefined &&
      named !== kind.category &&
      fitsOnly(named, kind.category, mentions) &&
      (phrase?.values.some(({ category }) => category === named) || isInNamesOf(named, mention))
    if (!isPartOfBefore) named = kind.category
  }
  if (named !== undefined) return { category: named, isNamed: true }
  return { category: inferCategory(mentions), isNamed: false }
}

/** Whether a mention stands for a whole category: by its name, or by a value that is said instead of it, as "ddr5" is of memory. */
export const standsFor = ({ phrase }: Mention, category: string): boolean =>
  !!phrase?.kinds.some(
    (kind) => kind.category === category && (!kind.isHint || phrase.values.some((value) => value.category === category && value.decides)),
  )

/** Whether some number or value means something in the one category and none means something in the other alone. */
function fitsOnly(one: string, other: string, mentions: Mention[]): boolean {
  let isFound = false
  for (const { phrase, number, isNegated } of mentions) {
    if (isNegated || phrase?.kinds.some(({ isHint }) => !isHint)) continue
    const meanings = [...(phrase?.values ?? []), ...(number?.isMoney ? [] : (number?.prefix ?? number?.unit?.numberUnits ?? []))]
    const fitsOne = meanings.some(({ category }) => category === one)
    const fitsOther = meanings.some(({ category }) => category === other)
    if (fitsOther && !fitsOne) return false
    isFound ||= fitsOne && !fitsOther
  }
  return isFound
}

const decisiveWeight = 0.5

/** Undefined unless one category fits more mentions than any other, and one of them means only it or there are two. */
function inferCategory(mentions: Mention[]): string | undefined {
  const scores = new Map<string, { fits: number; isDecided: boolean }>()
  let weak: string | undefined
  for (const { phrase, number, isNegated } of mentions) {
    const fitting = new Map<string, boolean>()
    const fit = (category: string, decides: boolean) => fitting.set(category, decides || !!fitting.get(category))
    for (const { category, decides } of phrase?.values ?? []) fit(category, decides)
    for (const { category, isHint } of phrase?.kinds ?? [])
      if (isHint) fit(category, true)
      else if (!isNegated) weak = category
    if (number && !number.isMoney)
      for (const { category, decides } of number.prefix ?? number.unit?.numberUnits ?? []) fit(category, decides)
    if (number?.pieces !== undefined)
      for (const [category] of fitting)
        if (!number.unit?.numberUnits.some((one) => one.category === category && one.attribute.asked?.perPieceOf)) fitting.delete(category)
    for (const [category, decides] of fitting) {
      const { fits, isDecided } = scores.get(category) ?? { fits: 0, isDecided: false }
      scores.set(category, { fits: fits + 1 + (decides ? decisiveWeight : 0), isDecided: isDecided || decides })
    }
  }
  const [best, next] = [...scores].sort(([, one], [, other]) => other.fits - one.fits)
  if (best && (best[1].isDecided || best[1].fits >= 2) && best[1].fits > (next?.[1].fits ?? 0)) return best[0]
  return weak
}
