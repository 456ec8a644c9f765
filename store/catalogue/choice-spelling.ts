const forms = new Map<string, string>()
/** More texts than the values of all attributes; they are kept because each search compares them. */
const maxForms = 50_000

/**
 * The form that all spellings of one value have: "M.2-2280" and "M.2 2280", "BLACK" and "Black". Case, spaces, hyphens and commas do not
 * count, except between two digits, where each of them counts as a space. `choiceFormSql` of the search says the same in SQL.
 */
export function choiceForm(value: string): string {
  let form = forms.get(value)
  if (form === undefined) {
    form = value
      .toLowerCase()
      .replace(/[\s,_-]+/g, ' ')
      .trim()
      .replace(/(?<!\d) | (?!\d)/g, '')
    if (forms.size >= maxForms) forms.clear()
    forms.set(value, form)
  }
  return form
}

/** Whether a value says that a product has none of something. */
export const isNone = (value: string): boolean => ['no', 'none'].includes(choiceForm(value))

/** A name of a maker without what its spellings differ in: case, spaces and punctuation. "be quiet!" is "bequiet". */
export const foldBrand = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+]/gu, '')
