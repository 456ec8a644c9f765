import { isTableView, numberParamPattern, productsUrlWithParams, readSearchParams } from './search-url.ts'

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
    return (name === 'pieces' ? /^[1-9]\d{0,8}$/ : /^-?\d{1,12}(\.\d{1,9})?$/).test(value) ? [] : [name]
  })

/** The numbers that are typed, not chosen. */
const typedNumberParams = ['pieces', 'price.min', 'price.max'] as const
export type AmountErrors = { pieces?: string; price?: string }

/** What is wrong with the typed amounts, for each place where it is to be said. */
export function amountErrors(search: URLSearchParams): AmountErrors {
  const { pieces: [pieces] = [], 'price.min': [min] = [], 'price.max': [max] = [] } = readSearchParams(search)
  const isInvalid = (name: string, value: string | undefined) =>
    value !== undefined && describeInvalidNumber(new URLSearchParams({ [name]: value })) !== undefined
  return {
    ...(isInvalid('pieces', pieces) && { pieces: 'Type a whole number of pieces, such as 25' }),
    ...(isInvalid('price.min', min) || isInvalid('price.max', max)
      ? { price: 'Type prices in figures, such as 250' }
      : Number(min) > Number(max) && { price: 'The lowest price is above the highest: swap them' }),
  }
}

/** The typed filters without numbers that cannot be searched for: these stay as they are in the URL of the page, if it has valid ones. */
export function withoutInvalidNumbers(typed: URLSearchParams, current = new URLSearchParams()): URLSearchParams {
  const errors = amountErrors(typed)
  const refused = typedNumberParams.filter((name) => (name === 'pieces' ? errors.pieces : errors.price))
  const params = new URLSearchParams([...typed].filter(([name]) => !refused.some((one) => one === name)))
  if (refused.length === 0) return params
  const kept = withoutInvalidNumbers(current)
  for (const name of refused) for (const value of kept.getAll(name)) params.append(name, value)
  return params
}

/**
 * Shows what is wrong with the typed filters.
 * @returns the URL of the listing with the others; undefined if that is the URL of the page
 */
export function readFilterForm(form: FormData, current: URLSearchParams, show: (errors: AmountErrors) => void): string | undefined {
  const typed = new URLSearchParams([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
  const errors = amountErrors(typed)
  // Once no button of the mouse is down: a line that appears or goes would move what is pressed away from the pointer.
  if (document.querySelector(':active')) document.addEventListener('mouseup', () => setTimeout(() => show(errors)), { once: true })
  else show(errors)
  const url = filterUrl(withoutInvalidNumbers(typed, current))
  return url === filterUrl(current) ? undefined : url
}

/** URL of the listing with these filters, amounts normalized to plain numbers. */
function filterUrl(search: URLSearchParams): string {
  return productsUrlWithParams(new URLSearchParams(), { ...readSearchParams(search), look: isTableView(search) ? 'table' : undefined })
}
