import { categoryOf } from '#store/catalogue/categories.ts'
import type { IndexedProduct } from '#store/search/parsed-query.ts'
import {
  applyModelNumberTypo,
  applyTypo,
  countWordFrequencies,
  isLongWord,
  isModelWord,
  pickRandom,
  type SeededRandom,
  shuffle,
  substituteCharacter,
} from '../proof/generated-queries.ts'
import { seededRandom } from '../proof/seeded-random.ts'
import { tokenize } from '../proof/tokens.ts'

/**
 * 200 questions as visitors ask them, written by rule from the parts, the same every time: 40 each with common words, rare words, a typo, a
 * part number and three facets at once. Each is what follows `?` in an address.
 */
export function generateBenchmarkQueries(parts: IndexedProduct[]): string[] {
  const dice = seededRandom(200)
  const counts = countWordFrequencies(parts)
  const byCount = [...counts].filter(([word]) => word.length > 2).sort(([, one], [, other]) => other - one)
  const common = byCount.slice(0, 100).map(([word]) => word)
  const kinds = [
    () => ({
      q: shuffle(common, dice)
        .slice(0, 1 + dice.below(2))
        .join(' '),
    }),
    () => {
      const words = wordsByRarity(pickRandom(parts, dice), counts)
      return words.length > 1 && { q: words.slice(0, 2).join(' ') }
    },
    () => {
      const words = wordsByRarity(pickRandom(parts, dice), counts).slice(0, 3)
      const nth = words.findIndex((word) => isLongWord(word) || isModelWord(word))
      const word = words[nth]
      return (
        word !== undefined && { q: words.with(nth, isLongWord(word) ? applyTypo(word, dice) : applyModelNumberTypo(word, dice)).join(' ') }
      )
    },
    () => {
      const { mpn } = pickRandom(parts, dice)
      return mpn !== null && mpn.length > 4 && { q: partNumberVariant(mpn, dice) }
    },
    () => threeFacetQuery(pickRandom(parts, dice), common, dice),
  ]
  const written = kinds.flatMap((write) => Array.from({ length: 40 }, () => new URLSearchParams(retryUntilGenerated(write)).toString()))
  return shuffle(written, dice)
}

type Fields = Record<string, string>

function retryUntilGenerated(write: () => Fields | false | undefined): Fields {
  for (;;) {
    const fields = write()
    if (fields) return fields
  }
}

const wordsByRarity = ({ name }: IndexedProduct, counts: Map<string, number>) =>
  [...new Set(tokenize(name))].filter((word) => word.length > 1).sort((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0))

const partNumberVariant = (mpn: string, dice: SeededRandom) =>
  pickRandom(
    [
      () => mpn,
      () => mpn.toLowerCase(),
      () => mpn.replace(/[-\s]/g, ''),
      () => mpn.slice(0, Math.ceil(mpn.length * 0.7)),
      () => substituteCharacter(mpn, dice),
    ],
    dice,
  )()

/** A category and three filters that fit one part at least, half of them with a word as well. */
function threeFacetQuery(part: IndexedProduct, common: string[], dice: SeededRandom): Fields | undefined {
  const filters: Fields[] = [{ in_stock: 'yes' }, { 'price.max': `${part.price + 50}` }]
  if (part.brand !== null) filters.push({ brand: part.brand })
  for (const { key, kind, filter } of categoryOf(part.category)?.attributes ?? []) {
    const value = [part.specs[key]].flat()[0]
    if (!filter) continue
    if (kind === 'number' && typeof value === 'number') filters.push({ [`spec.${key}.${pickRandom(['min', 'max'], dice)}`]: `${value}` })
    if (kind === 'choice' && typeof value === 'string') filters.push({ [`spec.${key}`]: value })
  }
  if (part.category === null || filters.length < 4) return
  const word = tokenize(part.name).find((one) => common.includes(one))
  return Object.assign(
    { category: categoryOf(part.category)?.key ?? part.category },
    ...shuffle(filters, dice).slice(0, 3),
    dice.coin() && word !== undefined && { q: word },
    dice.coin() && { sort: pickRandom(['price', '-price', 'newest', 'name'], dice) },
  )
}

const units = ['1gb', '2tb', '3mm', '4cm', '5w', '6v', '7a', '8hz', '9mhz', '10ghz', '11db', '12rpm', '13in', '14kg', '15g', '16mah']
/** Questions that are hard to answer: many words that do not go together, mistyped ones, all units, contradictions, other scripts, no words. */
export const hostileQuestions: readonly string[] = [
  'min samsng rtx max 32gb rtx ssd 999mm card for usb in gamng foo asus kit 1000w 850w c x rgb 850w',
  '850w kit graphics gold gaming case rgb crd blak fan min 2tb 1tb',
  'motherboard 1gb am5 z790 foo bar samsung white mini big fast',
  'gpu foo bar baz qux quux white',
  'graphics over gold pcs gen4 rtx kit crd gpu without black ddr5 1tb foo min fan 1000w 2tb gen4 7600 cooler',
  'fan 2tb over most min monitor intel',
  'motherboard usb-c am5 pcs 5 usb-c z790 120mm usb-c quiet memry 4k 32gb nvme gold',
  'gpu samsung port noctua not samsung a620 ssd not samsung am5 not samsung case not samsung rgb not samsung $100',
  '120mm kit case nvme wifi rtx noctua',
  'gpu cras x520-da1',
  `case for ${'atx board '.repeat(18)}`,
  `monitor not ${'the '.repeat(45)}dell`,
  units.join(' '),
  'under 100mm over 200mm case gpu psu cooler fan',
  Array.from({ length: 66 }, (_, nth) => String.fromCharCode(97 + (nth % 26))).join(' '),
  Array.from({ length: 25 }, (_, nth) => `kayboard${String.fromCharCode(97 + nth)}`.slice(0, 7)).join(' '),
  'a'.repeat(200),
  "'; drop table tools; -- %_\\ ' or 1=1",
  '显卡 видеокарта かんたん 🖥️ 🖥️ 🖥️ мышь',
  '---- ,,, ((( ))) " " ...',
]
