/*
 * How much an address may ask for. Anybody can write an address, and a page repeats parts of it in each of its links.
 */

/** The most that a question may have, of a page's address and of `GET /search` alike. Characters are counted decoded. */
export const questionLimits = { names: 20, valuesOfName: 40, nameCharacters: 80, valueCharacters: 200, characters: 2000 }

/** Where to return to after the sign-in is an address with a question of its own. */
const holdsAddress = 'from'

/** What a question has too much of, in words, and the name that is to blame; undefined when it is within the limits. */
export function excessOf(question: Iterable<readonly [name: string, value: string]>): { name: string; words: string } | undefined {
  const { names, valuesOfName, nameCharacters, valueCharacters, characters } = questionLimits
  const valuesBy = new Map<string, number>()
  let total = 0
  for (const [name, value] of question) {
    const values = (valuesBy.get(name) ?? 0) + 1
    valuesBy.set(name, values)
    total += name.length + value.length
    if (name.length > nameCharacters) return { name: name.slice(0, nameCharacters), words: 'No filter has a name this long' }
    if (value.length > valueCharacters && name !== holdsAddress)
      return { name, words: `What is said for ${name} has more than ${valueCharacters} characters: shorten it` }
    if (values > valuesOfName) return { name, words: `There are more than ${valuesOfName} values of ${name}: choose fewer` }
    if (valuesBy.size > names) return { name, words: `More than ${names} filters cannot be combined: take some away` }
    if (total > characters) return { name, words: `The filters have more than ${characters} characters together: take some away` }
  }
}
