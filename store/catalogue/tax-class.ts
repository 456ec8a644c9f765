/** What a product is taxed as. A place has a rate for `standard` and may have one for `reduced`; `zero` is never taxed. */
export const taxClasses = ['standard', 'reduced', 'zero'] as const
export type TaxClass = (typeof taxClasses)[number]
