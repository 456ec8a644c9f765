import { filterNumberPattern, piecesPattern } from '#shared/query-limits.ts'
import { chosenLook, numberParamPattern, productsUrlWithParams, readSearchParams } from './search-url.ts'

// Separate from search-url.ts, which every page of the shop loads.

/** Error message for a value that must be an amount but is not; undefined if all are valid. */
export function describeInvalidNumber(search: URLSearchParams): string | undefined {
  const [name] = findInvalidNumberParams(search)
  if (name === undefined) return undefined
  const [value] = readSearchParams(search)[name] ?? []
  return name === 'pieces'
    ? `"${value}" is no number of pieces: write figures, such as 25.`
    : `"${value}" is no amount: write figures, such as 250.`
}

export const findInvalidNumberParams = (search: URLSearchParams): string[] =>
  Object.entries(readSearchParams(search)).flatMap(([name, [value = '']]) => {
    if (!numberParamPattern.test(name)) return []
    return (name === 'pieces' ? piecesPattern : filterNumberPattern).test(value) ? [] : [name]
  })

/** What is wrong with typed numbers, by `pieces` or the key of the facet. */
export type AmountErrors = Record<string, string>

/** What is wrong with the typed amounts, for each place where it is to be said. */
export function amountErrors(search: URLSearchParams): AmountErrors {
  const params = readSearchParams(search)
  const errors: AmountErrors = {}
  for (const name of findInvalidNumberParams(search))
    errors[placeOf(name)] =
      name === 'pieces'
        ? 'Type a whole number of pieces, such as 25'
        : placeOf(name) === 'price'
          ? 'Type prices in figures, such as 250'
          : 'Type figures, such as 250'
  for (const [name, [max]] of Object.entries(params)) {
    const place = placeOf(name)
    if (!name.endsWith('.max') || errors[place] || !(Number(params[`${place}.min`]?.[0]) > Number(max))) continue
    errors[place] =
      place === 'price' ? 'The lowest price is above the highest: swap them' : 'The lowest number is above the highest: swap them'
  }
  return errors
}

const placeOf = (name: string) => name.replace(/\.(min|max)$/, '')

/** The typed filters without numbers that cannot be searched for: these stay as they are in the URL of the page, if it has valid ones. */
export function withoutInvalidNumbers(typed: URLSearchParams, current = new URLSearchParams()): URLSearchParams {
  const errors = amountErrors(typed)
  const isRefused = (name: string) => numberParamPattern.test(name) && errors[placeOf(name)] !== undefined
  const params = new URLSearchParams([...typed].filter(([name]) => !isRefused(name)))
  if (Object.keys(errors).length === 0) return params
  for (const [name, value] of withoutInvalidNumbers(current)) if (isRefused(name)) params.append(name, value)
  return params
}

/**
 * Shows what is wrong with the typed filters. A filter of a category that is set in a search of all categories chooses the category too.
 * @param category the category to which filters of attributes belong, where none is chosen
 * @returns the URL of the listing with the others; undefined if that is the URL of the page
 */
export function readFilterForm(
  form: FormData,
  current: URLSearchParams,
  show: (errors: AmountErrors) => void,
  category?: string,
): string | undefined {
  const typed = new URLSearchParams([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
  const errors = amountErrors(typed)
  // Once no button of the mouse is down: a line that appears or goes would move what is pressed away from the pointer.
  if (document.querySelector(':active')) document.addEventListener('mouseup', () => setTimeout(() => show(errors)), { once: true })
  else show(errors)
  const asked = withoutInvalidNumbers(typed, current)
  const isOfCategory = [...asked].some(([name, value]) => name.startsWith('spec.') && value !== '' && !current.has(name, value))
  if (category && isOfCategory) asked.set('category', category)
  const url = filterUrl(asked)
  return url === filterUrl(current) ? undefined : url
}

/** URL of the listing with these filters, amounts normalized to plain numbers. */
function filterUrl(search: URLSearchParams): string {
  return productsUrlWithParams(new URLSearchParams(), { ...readSearchParams(search), look: chosenLook(search) })
}
