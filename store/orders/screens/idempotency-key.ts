/**
 * The idempotency key of this request. The same request, sent again after a lost response or a second press, gets the same key. A changed
 * request gets a new key, and so does the next one after an order was placed, which removes the stored key.
 * @param draft storage key of the form's draft
 */
export function idempotencyKeyFor(draft: string, request: object): string {
  const stored: { wish?: string; key?: string } = JSON.parse(sessionStorage.getItem(storageKey(draft)) ?? '{}')
  const serialized = JSON.stringify(request)
  const key = stored.wish === serialized && stored.key ? stored.key : crypto.randomUUID()
  sessionStorage.setItem(storageKey(draft), JSON.stringify({ wish: serialized, key }))
  return key
}

export const forgetIdempotencyKey = (draft: string): void => sessionStorage.removeItem(storageKey(draft))

const storageKey = (draft: string) => `request of ${draft}`
