import type { AttributeDefinition, ValueWords } from '#store/catalogue/categories.ts'
import { choiceForm, isNone } from '#store/catalogue/choice-spelling.ts'
import { questionWords } from '#store/catalogue/definitions/question-words.ts'
import { normalizeText } from '../tokens.ts'

/** A vocabulary is built at once, before the question that waits for it: words beyond these comparisons with choices (about 0.3 s on a busy machine) mean nothing. */
const maxComparisons = 1_000_000
/** What it costs to prepare a choice for comparisons, in comparisons. */
const preparation = 5

/** Longer choices are not named in questions. */
const maxNameCharacters = 200
/** Further names of choices are not read in questions. */
const maxNames = 20_000

type ChoiceWords = Pick<ValueWords, 'is' | 'begins' | 'contains' | 'any'>

/** Finds the choices of attributes that words mean, and the names of choices. For one vocabulary. */
export type ChoiceFinder = {
  /** those of the choices of the attribute that the words mean */
  findMeant(attribute: AttributeDefinition, choices: readonly string[], words: ChoiceWords): string[]
  /** the choices of an attribute whose values stand for themselves in questions, by each name that they have */
  namesOf(attribute: AttributeDefinition, choices: readonly string[]): { choice: string; names: Iterable<string> }[]
}

export function createChoiceFinder(): ChoiceFinder {
  let [comparisonsLeft, namesLeft] = [maxComparisons, maxNames]
  const prepared = new Set<AttributeDefinition>()
  return {
    findMeant(attribute, choices, { is = [], begins, contains, any }) {
      if (!prepared.has(attribute)) comparisonsLeft -= preparation * choices.length
      prepared.add(attribute)
      if (comparisonsLeft < 0) return []
      const texts = textsOf(attribute, choices)
      const found = new Set<number>()
      const compare = (places: Iterable<number> & { length: number }, isMeant: (place: number) => boolean) => {
        comparisonsLeft -= places.length
        if (comparisonsLeft >= 0) for (const place of places) if (isMeant(place)) found.add(place)
      }
      compare(
        is.flatMap((choice) => texts.placesOf().get(choiceForm(choice)) ?? []),
        () => true,
      )
      const start = begins?.toLowerCase()
      if (start !== undefined) compare(texts.places, (place) => !!texts.lower()[place]?.startsWith(start))
      const inARow = contains === undefined ? undefined : spacedWords(contains)
      if (inARow !== undefined) compare(texts.havingWordsOf(inARow), (place) => !!texts.spaced()[place]?.includes(inARow))
      if (any) compare(texts.places, (place) => !isNone(choices[place] ?? ''))
      return [...found].sort((one, other) => one - other).flatMap((place) => choices[place] ?? [])
    },
    namesOf(attribute, choices) {
      const named = choices.filter((choice) => choice.length <= maxNameCharacters).slice(0, namesLeft)
      namesLeft -= named.length
      const findNames = createNamer(attribute)
      return named.map((choice) => ({ choice, names: findNames(choice) }))
    },
  }
}

/** The names of a choice: itself, and without what questions leave out of it. A colour alone is that of the product: "red switch" of the attribute "Switches". */
function createNamer({ label, asked }: AttributeDefinition): (choice: string) => Iterable<string> {
  const colours = new Set(questionWords().colours.words)
  const singular = normalizeText(label).replace(/e?s$/, '')
  const left = asked?.withoutWords?.length ? new RegExp(`\\b(?:${asked.withoutWords.join('|')})\\b`, 'g') : undefined
  return (choice) => {
    const text = normalizeText(choice)
    const whole = colours.has(text) ? `${text} ${singular}` : text
    const names = left ? [whole, whole.replace(left, '')] : [whole]
    return new Set(names.flatMap((name) => (asked?.withoutSize ? [name, name.replace(/\s\d+ ?gb$/, '')] : [name])))
  }
}

type ChoiceTexts = {
  choices: readonly string[]
  places: number[]
  /** by the form that all spellings of a choice have */
  placesOf: () => Map<string, number[]>
  lower: () => string[]
  spaced: () => string[]
  /** the places of the choices that may have these words, which stand between spaces */
  havingWordsOf: (spaced: string) => number[]
}

const knownTexts = new WeakMap<AttributeDefinition, ChoiceTexts>()

/** The texts that choices are compared by, kept until the attribute has other choices: a new value changes those of few attributes. */
function textsOf(attribute: AttributeDefinition, choices: readonly string[]): ChoiceTexts {
  const known = knownTexts.get(attribute)
  if (known?.choices === choices) return known
  if (known && known.choices.length === choices.length && known.choices.every((choice, nth) => choice === choices[nth])) {
    known.choices = choices
    return known
  }
  const texts = prepareTexts(choices)
  knownTexts.set(attribute, texts)
  return texts
}

function prepareTexts(choices: readonly string[]): ChoiceTexts {
  const places = [...choices.keys()]
  const spaced = once(() => choices.map(spacedWords))
  const placesByWord = once(() => {
    const found = new Map<string, number[]>()
    for (const [place, text] of spaced().entries())
      for (const word of new Set(wordsOf(text))) {
        const all = found.get(word)
        if (all) all.push(place)
        else found.set(word, [place])
      }
    return found
  })
  return {
    ...{ choices, places, spaced },
    placesOf: once(() => Map.groupBy(places, (place) => choiceForm(choices[place] ?? ''))),
    lower: once(() => choices.map((choice) => choice.toLowerCase())),
    havingWordsOf: (text) =>
      wordsOf(text)
        .map((word) => placesByWord().get(word) ?? [])
        .reduce((fewest, one) => (one.length < fewest.length ? one : fewest), places),
  }
}

const wordsOf = (spaced: string) => spaced.split(' ').filter((word) => word !== '')

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The words of a text between spaces: " wi fi 6e ". */
const spacedWords = (text: string) =>
  ` ${
    normalizeText(text)
      .match(/[\p{L}\p{N}.]+/gu)
      ?.join(' ') ?? ''
  } `
