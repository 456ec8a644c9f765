/*
 * States and provinces by their codes of ISO 3166-2, of the countries where an address names one by its code and where taxes and delivery
 * differ by them. Elsewhere a state is a text.
 */

const codesAndNames: Record<string, string> = {
  AU: 'ACT Australian Capital Territory;NSW New South Wales;NT Northern Territory;QLD Queensland;SA South Australia;TAS Tasmania;VIC Victoria;WA Western Australia',
  CA: 'AB Alberta;BC British Columbia;MB Manitoba;NB New Brunswick;NL Newfoundland and Labrador;NS Nova Scotia;NT Northwest Territories;NU Nunavut;ON Ontario;PE Prince Edward Island;QC Quebec;SK Saskatchewan;YT Yukon',
  US: 'AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California;CO Colorado;CT Connecticut;DE Delaware;DC District of Columbia;FL Florida;GA Georgia;HI Hawaii;ID Idaho;IL Illinois;IN Indiana;IA Iowa;KS Kansas;KY Kentucky;LA Louisiana;ME Maine;MD Maryland;MA Massachusetts;MI Michigan;MN Minnesota;MS Mississippi;MO Missouri;MT Montana;NE Nebraska;NV Nevada;NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;ND North Dakota;OH Ohio;OK Oklahoma;OR Oregon;PA Pennsylvania;RI Rhode Island;SC South Carolina;SD South Dakota;TN Tennessee;TX Texas;UT Utah;VT Vermont;VA Virginia;WA Washington;WV West Virginia;WI Wisconsin;WY Wyoming;AA Armed Forces Americas;AE Armed Forces Europe;AP Armed Forces Pacific',
}

type State = { code: string; name: string }

/** The states of a country by name, where an address names one by its code; undefined where a state is a text. */
export function statesOf(country: string): State[] | undefined {
  const list = codesAndNames[country]
  return list?.split(';').map((entry) => {
    const [code = ''] = entry.split(' ')
    return { code, name: entry.slice(code.length + 1) }
  })
}

/** A state as taxes and zones of delivery name it: California in the US is CA. What is not known stays as it is. */
export function stateCodeOf(country: string, state: string | undefined): string | undefined {
  const typed = state?.trim().toUpperCase().replace(`${country}-`, '')
  if (!typed) return undefined
  return statesOf(country)?.find(({ code, name }) => code === typed || name.toUpperCase() === typed)?.code ?? typed
}
