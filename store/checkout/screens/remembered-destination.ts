/** What the visitor has chosen for estimates. It stands in the browser alone, so that pages that are kept stay the same for everybody. */
type RememberedDestination = { country: string; showsTax: boolean }

const key = 'destination'

export function recallDestination(): RememberedDestination {
  const remembered = { country: '', showsTax: true }
  try {
    return { ...remembered, ...JSON.parse(localStorage.getItem(key) ?? '{}') }
  } catch {
    return remembered
  }
}

export const rememberDestination = (changed: Partial<RememberedDestination>): void =>
  localStorage.setItem(key, JSON.stringify({ ...recallDestination(), ...changed }))
