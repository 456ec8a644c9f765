import type { Mention } from './read-question.ts'

type ChosenCategory = { category: string | undefined; isNamed: boolean }

/**
 * The category that a question is about: the chosen one, else the last that it names ("cpu cooler", "keyboard switch"), but not one after
 * "for" or "with" where what stands before tells one ("rtx 4060 that fits a 250mm case"), else the one that most of its values and numbers belong to.
 */
export function chooseCategory(mentions: Mention[], chosen: string | undefined): ChosenCategory {
  if (chosen !== undefined) return { category: chosen, isNamed: true }
  let named: string | undefined
  for (const [at, { phrase, isNegated }] of mentions.entries()) {
    if (phrase?.roles.has('preposition')) {
      if (named !== undefined) break
      const inferred = inferCategory(mentions.slice(0, at))
      if (inferred !== undefined) return { category: inferred, isNamed: false }
    }
    const kind = isNegated ? undefined : phrase?.kinds.find(({ isWeak, isHint }) => !isWeak && !isHint)
    if (kind) named = kind.category
  }
  if (named !== undefined) return { category: named, isNamed: true }
  return { category: inferCategory(mentions), isNamed: false }
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
