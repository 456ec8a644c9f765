/*
 * Limits for query strings. They are untrusted input, and a page repeats parts of them in each of its links.
 */

/** Limits for the query string of a page and of `GET /search`. Characters are counted after decoding. */
export const queryLimits = { maxNames: 20, maxValuesPerName: 40, maxNameCharacters: 80, maxValueCharacters: 200, maxCharacters: 2000 }

/** A number that a list is filtered by: with as many decimals as programs write. */
export const filterNumberPattern = /^-?\d{1,12}(\.\d{1,20})?$/
/** A number of pieces. */
export const piecesPattern = /^[1-9]\d{0,8}$/

/** The URL to return to after sign-in has its own query string, so its length is not limited by `maxValueCharacters`. */
const returnUrlParam = 'from'

/** The message for the first exceeded limit and the parameter that exceeds it; undefined if the query is within the limits. */
export function findExceededQueryLimit(
  query: Iterable<readonly [name: string, value: string]>,
): { name: string; message: string } | undefined {
  const { maxNames, maxValuesPerName, maxNameCharacters, maxValueCharacters, maxCharacters } = queryLimits
  const valuesBy = new Map<string, number>()
  let total = 0
  for (const [name, value] of query) {
    const values = (valuesBy.get(name) ?? 0) + 1
    valuesBy.set(name, values)
    total += name.length + value.length
    if (name.length > maxNameCharacters) return { name: name.slice(0, maxNameCharacters), message: 'No filter has a name this long' }
    if (value.length > maxValueCharacters && name !== returnUrlParam)
      return { name, message: `What is said for ${name} has more than ${maxValueCharacters} characters: shorten it` }
    if (values > maxValuesPerName) return { name, message: `There are more than ${maxValuesPerName} values of ${name}: choose fewer` }
    if (valuesBy.size > maxNames) return { name, message: `More than ${maxNames} filters cannot be combined: take some away` }
    if (total > maxCharacters) return { name, message: `The filters have more than ${maxCharacters} characters together: take some away` }
  }
}
