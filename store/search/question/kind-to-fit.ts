import { categoryOf } from '#store/catalogue/categories.ts'
import type { Mention } from './mention.ts'
import { type QuestionToken, textsOf } from './question-tokens.ts'

/** A kind with a value of it, which what is asked for has to fit: "case for e-atx motherboard". */
export type KindToFit = {
  words: string[]
  /** attributes of the category as whose value the value was read too: the size of the case */
  readAs: string[]
  /** attributes of the category that have to fit the value: the boards that the case takes */
  decides: string[]
}

/** @returns undefined unless the kind stands right behind the value, and the value decides what of the category fits it */
export function kindToFit(tokens: QuestionToken[], value: Mention, kind: Mention | undefined, category: string): KindToFit | undefined {
  if (kind?.from !== value.to || kind.isNegated) return undefined
  const keysOf = (one: string) => value.phrase?.values.flatMap(({ category, key }) => (category === one ? [key] : [])) ?? []
  const others = (kind.phrase?.kinds ?? []).filter((one) => !one.isHint && one.category !== category)
  const decides = others.flatMap((other) => {
    const keys = keysOf(other.category)
    const fits = categoryOf(other.category)?.goesWith?.flatMap((rule) => (rule.category === category ? rule.fits : [])) ?? []
    return fits.flatMap(({ own, of }) => (keys.includes(own) ? [of] : []))
  })
  const words = textsOf(tokens, { from: value.from, to: kind.to })
  return decides.length > 0 ? { words, readAs: keysOf(category), decides } : undefined
}
